/**
 * Builds hubline as one file: server, dashboard, command line and API reference, with Node inside
 * (docs/decisions/binary.md). HUBLINE_RELEASE_PUBLIC_KEY, an ed25519 public key in PEM, is built in: `hubline
 * upgrade` accepts only releases that its private key has signed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { inject } from 'postject';
import { buildDashboard } from '../../../scripts/build-dashboard.ts';
import { NOTICES, noticesOf } from '../../../scripts/notices.ts';
import { placeArchive, writeArchive } from './archive.ts';
import { BUILD_ID, buildIdOf } from './build-id.ts';
import { bundle, MAIN } from './bundle.ts';
import { fromNpm } from './from-npm.ts';
import { announceSignature, checkSignature } from './mach-o.ts';
import { nodeFor } from './node-program.ts';
import { publicKeyOf } from './release/release-key.ts';
import { Refusal, runScript, targetsOf } from './script.ts';
import { HOST, type Target } from './targets.ts';

const USAGE = `Usage:
  npx -y pnpm@12 build:binary                        for this system
  npx -y pnpm@12 build:binary --target linux-arm64   for other systems, separated by commas, or all`;

const dist = join(import.meta.dirname, '../dist');
const require = createRequire(import.meta.url);

/** The programs inside: the command line, and the server's threads. */
const PROGRAMS = {
  bin: 'cli/src/bin.ts',
  'sender-thread': 'server/src/delivery/senders/sender-thread.ts',
  'copy-thread': 'server/src/backups/copy/copy-thread.ts',
  'http-thread': 'server/src/http/front/http-thread.ts',
  'call-thread': 'server/src/providers/calls/call-thread.ts',
};
const parts = join(dist, 'parts');

/**
 * Node's own flags. They are built in, because all arguments of the file are for hubline. Without a minimum, the space for new
 * objects starts at 1 MiB and is collected eight times before the server listens, which takes a sixth of its CPU time.
 */
const FLAGS = ['--min-semi-space-size=8', '--max-semi-space-size=16'];

/** The tool of this host that strips the program of each target. */
const STRIP: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  'linux-x64': [HOST === 'linux-x64' ? 'strip' : 'x86_64-linux-gnu-strip'],
  'linux-arm64': [HOST === 'linux-arm64' ? 'strip' : 'aarch64-linux-gnu-strip'],
  'darwin-x64': ['llvm-strip', '-x'],
  'darwin-arm64': ['llvm-strip', '-x'],
};

// The marker in Node's program by which it knows that a blob was added.
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Harmless warnings of postject: about a stripped program, and about a signature that is replaced below. */
const HARMLESS = /^warning: (?:Can't find string offset for section name|The signature seems corrupted!)/;

await runScript({
  usage: USAGE,
  options: { target: { type: 'string', default: HOST } },
  run: async ({ target: names }) => {
    const targets = targetsOf(names);
    const key = releaseKey();
    const files = await bundle(PROGRAMS, parts);
    const dashboard = buildDashboard();
    const shared = sharedParts(dashboard, allNotices(files, dashboard));
    const id = written(BUILD_ID, Buffer.from(buildIdOf(shared)));
    for (const target of targets) {
      const file = await make(target, { ...shared, [BUILD_ID]: id, 'release-key': key });
      console.log(`${relative(process.cwd(), file)}  ${(statSync(file).size / 1e6).toFixed(1)} MB`);
    }
  },
});

/** Files by the names of their parts. */
type Parts = Readonly<Record<string, string>>;

async function make(target: Target, shared: Parts): Promise<string> {
  const node = nodeFor(target);
  if (node.version !== process.versions.node) {
    console.log(
      `${target.name}: made with Node ${node.version}, since npm has no ${process.versions.node} for it`,
    );
  }
  const folder = join(dist, target.name);
  mkdirSync(folder, { recursive: true });
  const blob = join(folder, 'hubline.blob');
  const config = join(folder, 'sea.json');
  const archive = join(folder, 'archive');
  const contents = { ...shared, ...partsFor(target) };
  writeArchive(contents, archive);
  // Compiled code is valid for one system and one version, and V8 refuses it under other flags.
  if (target.name === HOST) writeArchive({ ...contents, ...(await rehearse(archive, folder)) }, archive);
  writeFileSync(
    config,
    JSON.stringify({
      // The name that stack traces show, so that they do not show the builder's path.
      main: `${MAIN}.cjs`,
      output: blob,
      disableExperimentalSEAWarning: true,
      execArgv: FLAGS,
      assets: { archive },
    }),
  );
  execFileSync(node.packer, ['--experimental-sea-config', config], {
    cwd: parts,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const file = join(folder, target.program);
  copyFileSync(node.program, file);
  chmodSync(file, 0o755);
  strip(target, file);
  await addBlob(file, readFileSync(blob));
  const program = readFileSync(file);
  placeArchive(program, readFileSync(archive));
  writeFileSync(file, program);
  if (target.name.startsWith('darwin-')) sign(file);
  return file;
}

/** Adds the blob that Node runs to Node's program. */
async function addBlob(file: string, blob: Buffer): Promise<void> {
  const { warn } = console;
  console.warn = (...messages: unknown[]) => {
    if (!HARMLESS.test(String(messages[0]))) warn(...messages);
  };
  try {
    await inject(file, 'NODE_SEA_BLOB', blob, { sentinelFuse: FUSE, machoSegmentName: 'NODE_SEA' });
  } finally {
    console.warn = warn;
  }
}

/** The files of everything that is read at run time, and that is the same for every target. */
function sharedParts(dashboard: string, notices: string): Parts {
  const paths = globSync('**/*', { cwd: dashboard, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `/${relative(dashboard, join(entry.parentPath, entry.name)).replaceAll('\\', '/')}`)
    .toSorted();
  return {
    'package.json': join(import.meta.dirname, '../../server/package.json'),
    dashboard: written('dashboard.json', Buffer.from(JSON.stringify(paths))),
    ...Object.fromEntries(paths.map((path) => [`dashboard${path}`, join(dashboard, path)])),
    // Served like a file of the dashboard, with the licenses of the rest.
    [`dashboard/${NOTICES}`]: notices,
    'openapi.json.gz': packed(require.resolve('@hubline/contract/openapi.json')),
    ...Object.fromEntries(
      readdirSync(parts)
        .filter((name) => name !== `${MAIN}.cjs`)
        .map((name) => [name, join(parts, name)]),
    ),
    'jq.wasm.zst': zstd('jq.wasm', readFileSync(require.resolve('jq-web/jq.wasm'))),
  };
}

/** The native code for a target. */
function partsFor(target: Target): Parts {
  return {
    'better_sqlite3.node': addonFor(target),
    ...(target.koffi && { 'koffi.node.zst': koffiFor(target.name, target.koffi) }),
  };
}

/**
 * Starts and stops a server from the parts that will be in the file. Returns the code that V8 compiled for it, as
 * more parts.
 */
async function rehearse(archive: string, folder: string): Promise<Record<string, string>> {
  const into = join(folder, 'compiled');
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const program = join(import.meta.dirname, 'rehearse.ts');
  const server = spawn(process.execPath, [...FLAGS, program, join(parts, `${MAIN}.cjs`), archive, into], {
    // The builder's environment is not inherited: it may name a database that is in use.
    env: { HOME: into },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(server, 'exit');
  const log = text(server.stderr);
  await Promise.race([once(server.stdout, 'data'), exit]);
  server.kill('SIGTERM');
  const [code] = (await exit) as [number | null];
  if (code !== 0) throw new Error(`The rehearsal of a start ended with ${code}: ${await log}`);
  const names = readdirSync(into).filter((name) => name.endsWith('.compiled'));
  return Object.fromEntries(names.map((name) => [name, join(into, name)]));
}

/** The key that verifies later versions of the file. Without one, the file cannot upgrade itself, and says so. */
function releaseKey(): string {
  const file = join(dist, 'release-key.pem');
  const named = process.env['HUBLINE_RELEASE_PUBLIC_KEY'];
  mkdirSync(dist, { recursive: true });
  writeFileSync(file, named ? publicKeyOf(named) : '');
  return file;
}

/** The notices of the programs, of native code and of the dashboard. npm's package of Node has no text of its license. */
function allNotices(files: readonly string[], dashboard: string): string {
  const node = `Node.js: https://github.com/nodejs/node/blob/v${process.versions.node}/LICENSE\n`;
  const samples = readFileSync(join(import.meta.dirname, '../../cli/THIRD-PARTY-NOTICES.md'), 'utf8');
  const texts = [
    node,
    noticesOf([...files, require.resolve('koffi')]),
    readFileSync(join(dashboard, NOTICES), 'utf8'),
    samples,
  ];
  return written(NOTICES, Buffer.from(texts.join('\n\n')));
}

/** SQLite's addon for a target. It is not compressed, because decompressing it would take 4 ms of each start. */
function addonFor({ sqlite }: Target): string {
  return join(dirname(require.resolve('better-sqlite3/package.json')), 'prebuilds', sqlite);
}

/** koffi's addon for a target. It is compressed with zstd, which decompresses fastest, because every server start loads it. */
function koffiFor(name: string, [packageName, path]: NonNullable<Target['koffi']>): string {
  const main = require.resolve('koffi');
  const { version } = JSON.parse(readFileSync(join(dirname(main), 'package.json'), 'utf8')) as {
    version: string;
  };
  const folder =
    name === HOST ? dirname(createRequire(main).resolve(packageName)) : fromNpm(packageName, version);
  return zstd(`${name}-koffi.node`, readFileSync(join(folder, path)));
}

/** Compresses code in the way that is decompressed fastest. */
function zstd(name: string, bytes: Uint8Array): string {
  const params = { [constants.ZSTD_c_compressionLevel]: 19 };
  return written(`${name}.zst`, zstdCompressSync(bytes, { params }));
}

/** Compresses a file that is rarely read. */
function packed(file: string): string {
  return written(`${basename(file)}.gz`, gzipSync(readFileSync(file), { level: 9 }));
}

function written(name: string, bytes: Uint8Array): string {
  const file = join(dist, name);
  writeFileSync(file, bytes);
  return file;
}

/** Strips the symbols, 15 to 20 MB, from a program for Linux or macOS if the tool is available. */
function strip({ name }: Target, file: string): void {
  const tool = STRIP[name];
  if (tool === undefined) return;
  const [program, ...args] = tool;
  try {
    execFileSync(program, [...args, file], { stdio: 'ignore' });
  } catch {
    console.log(`${name}: not stripped, since there is no ${program}: the file is larger than it has to be`);
  }
}

/**
 * Signs a program for macOS ad hoc. The blob broke Node's signature, and Apple silicon runs nothing unsigned.
 */
function sign(file: string): void {
  const onMac = process.platform === 'darwin';
  const program = readFileSync(file);
  if (!onMac) announceSignature(program);
  writeFileSync(file, program);
  const [tool, ...args] = onMac ? (['codesign', '--sign', '-'] as const) : (['llvm-objcopy'] as const);
  try {
    execFileSync(tool, [...args, file], { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch (error) {
    throw new Refusal(`${file} cannot be signed: install llvm-objcopy (Debian: llvm), or build on a Mac.`, {
      cause: error,
    });
  }
  checkSignature(readFileSync(file));
}
