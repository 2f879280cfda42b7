/**
 * Starts a server out of the scripts that will be in the file, and keeps the code that V8 has compiled by the time that it has stopped.
 * What V8 compiles of a script before that runs is next to nothing of what a start needs.
 *
 *   node rehearse.ts assets.json    into the folder of that list: by name, the files that will be inside
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sea from 'node:sea';
import { setFlagsFromString } from 'node:v8';
import vm from 'node:vm';

const list = process.argv[2] ?? '';
const assets = JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>;
const bytesOf = (name: string): Buffer => readFileSync(assets[name] ?? name);
const partOf = (name: string): ArrayBuffer => new Uint8Array(bytesOf(name)).buffer;
const scripts = new Map<string, vm.Script>();

Object.assign(sea, {
  isSea: () => true,
  getAssetKeys: () => Object.keys(assets),
  getRawAsset: partOf,
  getAsset: (name: string, encoding?: BufferEncoding) =>
    encoding === undefined ? partOf(name) : bytesOf(name).toString(encoding),
});
vm.Script = class extends vm.Script {
  constructor(text: string, options: vm.ScriptOptions) {
    super(text, options);
    scripts.set(options.filename ?? '', this);
  }
};
// Code that has not run for a while would be let go.
setFlagsFromString('--no-flush-bytecode');

const data = mkdtempSync(join(tmpdir(), 'hubline-rehearsal-'));
process.on('exit', () => {
  rmSync(data, { recursive: true, force: true });
  // V8 takes compiled code only where the flags are those with which it was made.
  setFlagsFromString('--flush-bytecode');
  for (const [name, script] of scripts)
    writeFileSync(join(dirname(list), name.replace(/\.js$/, '.compiled')), script.createCachedData());
});
process.argv.splice(
  1,
  Infinity,
  process.execPath,
  'server',
  'start',
  '--data',
  data,
  '--port',
  '0',
  '--json',
);
createRequire(import.meta.url)(assets['bin.cjs'] ?? '');
