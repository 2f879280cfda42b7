import { dirname } from 'node:path';
import sea from 'node:sea';
import { Script } from 'node:vm';
import { hasPart, lengthOf, part, showThreads } from './archive.ts';

/** A chunk of the programs: the body of a CommonJS module as a function of its variables. */
type Chunk = (given: {
  module: { exports: object };
  exports: object;
  require: (name: string) => unknown;
  __filename: string;
  __dirname: string;
}) => void;
type Pack = Readonly<Record<string, Chunk>>;

/** The name of the chunk that this program begins with. The build sets it. */
declare const ENTRY: string;

/** Modules of Node that a start does not use, and that take milliseconds to load. Each is loaded when it is first used. */
const LATE = new Set([
  'assert',
  'fs/promises',
  'http2',
  'https',
  'stream/promises',
  'timers/promises',
  'tls',
]);

const packs = new Map<string, Pack>();
const loaded = new Map<string, { exports: object }>();

Object.assign(sea, { getAsset });
load(ENTRY);

/** Returns the exports of a chunk, or a module of Node. */
function load(name: string): unknown {
  const [pack = '', chunk] = name.split('/chunk:');
  if (chunk === undefined) return LATE.has(name.replace('node:', '')) ? lateModule(name) : builtin(name);
  const known = loaded.get(name);
  if (known) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  (packs.get(pack) ?? openPack(pack))[chunk]?.({
    module,
    exports: module.exports,
    require: load,
    __filename: process.execPath,
    __dirname: dirname(process.execPath),
  });
  return module.exports;
}

/** Loads the chunks of a pack, from compiled code if the build could make it. */
function openPack(name: string): Pack {
  const [plain, compiled] = [`${name}.js`, `${name}.compiled`];
  const script = hasPart(compiled)
    ? compiledScript(plain, compiled)
    : new Script(textOf(plain), { filename: plain });
  const pack = script.runInThisContext() as Pack;
  packs.set(name, pack);
  return pack;
}

/** Reads both parts, each several megabytes long, into the same memory: touching new memory takes longer than reading. */
function compiledScript(plain: string, compiled: string): Script {
  const memory = Buffer.allocUnsafeSlow(Math.max(lengthOf(plain), lengthOf(compiled)));
  const text = part(plain, memory).toString('latin1');
  return new Script(text, { filename: plain, cachedData: part(compiled, memory) });
}

function textOf(name: string): string {
  if (hasPart(name)) return part(name).toString('latin1');
  return process
    .getBuiltinModule('node:zlib')
    .gunzipSync(part(`${name}.gz`))
    .toString('latin1');
}

/** Replaces Node's own function, which the programs in the file call for their assets. */
function getAsset(name: string, encoding?: BufferEncoding): string | ArrayBuffer {
  return encoding === undefined ? part(name).buffer : part(name).toString(encoding);
}

function builtin(name: string): object {
  const module = process.getBuiltinModule(name);
  if (name === 'node:worker_threads') showThreads(process.getBuiltinModule(name));
  if (module) return module;
  throw Object.assign(new Error(`${name} is not in this file`), { code: 'MODULE_NOT_FOUND' });
}

function lateModule(name: string): object {
  return new Proxy(
    // A function, because some modules are functions.
    () => undefined,
    {
      apply: (_, self, given) => Reflect.apply(builtin(name) as () => unknown, self, given),
      get: (_, key) => Reflect.get(builtin(name), key),
      has: (_, key) => key in builtin(name),
      ownKeys: () => Reflect.ownKeys(builtin(name)),
      getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor({ ...builtin(name) }, key),
    },
  );
}
