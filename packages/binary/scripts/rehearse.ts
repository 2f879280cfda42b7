/**
 * Starts a server from the scripts that will be in the file, and keeps the code that V8 has compiled by the time that it listens.
 * Before a script runs, V8 compiles next to nothing of the code that a start needs.
 *
 *   node rehearse.ts bin.cjs archive folder    into that folder
 */
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sea from 'node:sea';
import { setFlagsFromString } from 'node:v8';
import vm from 'node:vm';
import { setEnvironmentData } from 'node:worker_threads';
import { OPENED } from '../src/archive-format.ts';

const [, , program = '', archive = '', folder = ''] = process.argv;
const scripts = new Map<string, vm.Script>();

Object.assign(sea, { isSea: () => true });
setEnvironmentData(OPENED, { file: openSync(archive, 'r'), at: 0 });
vm.Script = class extends vm.Script {
  constructor(text: string, options: vm.ScriptOptions) {
    super(text, options);
    scripts.set(options.filename ?? '', this);
  }
};
// Otherwise V8 discards code that has not run for a while.
setFlagsFromString('--no-flush-bytecode');

const data = mkdtempSync(join(tmpdir(), 'hubline-rehearsal-'));
process.on('exit', () => rmSync(data, { recursive: true, force: true }));
const write = process.stdout.write.bind(process.stdout) as (...given: unknown[]) => boolean;
process.stdout.write = (...given: unknown[]) => {
  // The server prints its first line when it listens. Code that runs later is not needed for a start.
  if (scripts.size > 0) keepCompiled();
  return write(...given);
};

function keepCompiled(): void {
  // V8 accepts compiled code only under the flags that it was compiled with.
  setFlagsFromString('--flush-bytecode');
  for (const [name, script] of scripts)
    writeFileSync(join(folder, name.replace(/\.js$/, '.compiled')), script.createCachedData());
  scripts.clear();
}

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
createRequire(import.meta.url)(program);
