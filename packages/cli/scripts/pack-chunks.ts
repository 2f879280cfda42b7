import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, transform } from 'esbuild';

/** The chunks that nearly every command loads: the entry, the SDK with its transport, and the code that nouns share. */
const SHARED = /^(?:chunk|main|node|process|runner|src)-/;

/**
 * Packs the chunks that nearly every command loads into one file, each as a function that runs when it is first required, and minifies
 * everything. Finding, reading and compiling thirty small files takes Node longer than running them: 10 ms of 37 in `hubline config path`.
 * Minification comes last, because tsup makes CommonJS out of ESM chunks with a tool that does not understand minified code.
 */
export async function packChunks(folder: string): Promise<void> {
  const files = globSync('*.cjs', { cwd: folder }).map((name) => basename(name));
  const first = new Set(neededBy('bin.cjs', folder));
  const packed = files.filter((name) => SHARED.test(name) && !first.has(name)).toSorted();
  // A packed part loads others by the function around it; a separate file requires the packed file.
  const linked = (name: string, load: string): string =>
    readFileSync(join(folder, name), 'utf8').replace(
      /require\((['"])\.\/([\w.-]+)\1\)/g,
      (call, _, target: string) => (packed.includes(target) ? `${load}(${JSON.stringify(target)})` : call),
    );
  const minified = async (code: string): Promise<string> =>
    (await transform(code, { minify: true, target: 'node22' })).code;
  const parts = packed.map(
    (name) => `${JSON.stringify(name)}(module, exports) {\n${linked(name, '__part')}\n}`,
  );
  const source = await minified(`module.exports = (require) => {
const parts = {${parts.join(',\n')}};
const loaded = new Map();
function __part(name) {
  const known = loaded.get(name);
  if (known) return known.exports;
  const part = { exports: {} };
  loaded.set(name, part);
  parts[name](part, part.exports);
  return part.exports;
}
return Object.assign(__part, { loaded });
}`);
  const shared = `${await loader()}
module.exports = loader.loadShared({ require, directory: __dirname, build: '${digest(source)}' });
`;
  for (const name of files.filter((each) => !packed.includes(each))) {
    writeFileSync(join(folder, name), await minified(linked(name, "require('./shared.cjs')")));
  }
  // A script under a name that is no module's: tools that judge modules by their text would take it for one of the wrong kind.
  writeFileSync(join(folder, 'shared.source'), `(function (module) {${source}})`);
  writeFileSync(join(folder, 'shared.cjs'), await minified(shared));
  for (const name of packed) rmSync(join(folder, name));
}

/** The code that loads the chunks, as a script that defines `loader`. */
async function loader(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['scripts/load-shared.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'iife',
    globalName: 'loader',
    target: 'node22',
  });
  return outputFiles.map(({ text }) => text).join('');
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** The modules that a file requires as soon as it runs: `hubline --version` needs these and nothing else. */
function neededBy(name: string, folder: string): string[] {
  const code = readFileSync(join(folder, name), 'utf8');
  const direct = [...code.matchAll(/^(?:var \w+ = )?require\((['"])\.\/([\w.-]+)\1\)/gm)].map(
    ([, , file = '']) => file,
  );
  return direct.flatMap((file) => [file, ...neededBy(file, folder)]);
}
