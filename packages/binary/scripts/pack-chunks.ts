import { basename } from 'node:path';
import type { Metafile } from 'esbuild';

/** The packs, and the modules with which each begins. A chunk is in the first pack that needs it, so that a thread loads nothing of the server. */
export const BEGINNINGS = {
  first: ['cli/src/bin.ts', 'cli/src/bound-memory.ts'],
  thread: [
    'server/src/delivery/senders/sender-thread.ts',
    'server/src/backups/copy/copy-thread.ts',
    'server/src/http/front/http-thread.ts',
  ],
  command: ['cli/src/process.ts', 'cli/src/main.ts'],
  calls: ['server/src/providers/calls/call-thread.ts'],
  server: ['cli/src/commands/server/noun.ts', 'server/src/index.ts'],
};

const NAMES_OF_DEFAULT =
  ';module.exports = { __proto__: module.exports.default, __esModule: true, default: module.exports.default };';

interface Packs {
  /** The scripts by name. Each evaluates to an object of chunks. */
  readonly packs: ReadonlyMap<string, string>;
  /** The name by which a chunk is loaded. */
  readonly placeOf: (chunk: string) => string;
}

/**
 * Packs the chunks that are always loaded together into one script: finding, compiling and running a hundred small scripts takes longer
 * than running the code in them. Every other chunk has its own script.
 */
export function packChunks({ inputs, outputs }: Metafile, texts: ReadonlyMap<string, string>): Packs {
  const chunks = Object.entries(outputs).map(([path, output]) => ({ ...output, name: basename(path) }));
  const byName = new Map(chunks.map((chunk) => [chunk.name, chunk]));
  const chunkOf = (source: string): string => {
    const chunk = chunks.find(({ entryPoint }) => entryPoint === source);
    if (!chunk) throw new Error(`${source} no longer has a chunk of its own: correct the list of packs`);
    return chunk.name;
  };
  /** A chunk with all its static imports. */
  const closure = (name: string, into = new Set<string>()): Set<string> => {
    if (into.has(name)) return into;
    into.add(name);
    for (const { path, kind } of byName.get(name)?.imports ?? [])
      if (kind === 'import-statement' && byName.has(basename(path))) closure(basename(path), into);
    return into;
  };
  const packs = Object.entries(BEGINNINGS).map(([name, sources]) => {
    const inside = new Set<string>();
    for (const source of sources) closure(chunkOf(source), inside);
    return { name, inside };
  });
  const needed = (name: string): string | undefined => packs.find(({ inside }) => inside.has(name))?.name;
  const shared = new Set(
    chunks
      .filter(({ name, entryPoint }) => entryPoint?.startsWith('cli/') && needed(name) === undefined)
      .flatMap(({ name }) => [...closure(name)])
      .filter((name) => needed(name) === 'server'),
  );
  // A command that shares a chunk with the server must not load the whole server for it.
  const packOf = (name: string): string =>
    shared.has(name) ? 'command' : (needed(name) ?? name.replace(/\.js$/, ''));
  const placeOf = (name: string): string => `${packOf(name)}/chunk:${name}`;
  const parts = new Map<string, string[]>();
  for (const { name, entryPoint = '' } of chunks) {
    const text = (texts.get(name) ?? '').replaceAll(
      /\brequire\("\.\/([\w.-]+)"\)/g,
      (_, target: string) => `require(${JSON.stringify(placeOf(target))})`,
    );
    // The chunk of a CommonJS package has only its default export. In Node, an importer of the package gets its names, too.
    const names = inputs[entryPoint]?.format === 'cjs' ? NAMES_OF_DEFAULT : '';
    const pack = parts.get(packOf(name)) ?? [];
    parts.set(packOf(name), pack);
    pack.push(
      `${JSON.stringify(name)}({ module, exports, require, __filename, __dirname }) {${text}${names}}`,
    );
  }
  return {
    packs: new Map([...parts].map(([name, pack]) => [name, `'use strict';({${pack.join(',\n')}})`])),
    placeOf,
  };
}
