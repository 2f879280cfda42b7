/**
 * The rehearsal of `hubline upgrade` between two real files: this version, and a newer one that has one more schema step. Both
 * are built in a copy of the tree, signed with a temporary key, and served as GitHub serves them. A tampered file and a stranger's
 * signature are refused; the upgrade and the rollback keep the data; after the migration, a rollback is refused. For Linux and macOS.
 *
 *   npx -y pnpm@12 rehearse:upgrade
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { copyTree } from './rehearsal/copy-tree.ts';
import { startReleaseSite } from './rehearsal/release-site.ts';
import { run, timed } from './rehearsal/run.ts';

const NEWER = '99.0.0';
const STEP = '9999-rehearsed';
const HOST = `${process.platform}-${process.arch}`;

const folder = mkdtempSync(join(tmpdir(), 'hubline-rehearsal-'));
const copy = join(folder, 'copy');
const site = join(folder, 'site');
const bin = join(folder, 'bin');
const installed = join(bin, 'hubline');
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const pem = {
  HUBLINE_RELEASE_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }) as string,
  HUBLINE_RELEASE_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
};

try {
  for (const one of [copy, site, bin]) mkdirSync(one);
  await timed('copy', async () => copyTree(copy));
  const install = ['npx', '-y', 'pnpm@12', 'install', '--frozen-lockfile', '--prefer-offline'] as const;
  await timed('install', () => run(install, { cwd: copy }));
  const older = await timed('build this version', release);
  cpSync(join(site, older, `hubline-${older}-${HOST}`), installed);
  makeNewer();
  assert.equal(await timed('build a newer one', release), NEWER);
  await timed('upgrade', () => upgrade(older));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Builds and signs the copy as it is, and returns its version. */
async function release(): Promise<string> {
  const at = { cwd: copy, env: { ...process.env, ...pem } };
  await run([process.execPath, '--conditions=hubline-source', 'packages/binary/scripts/build.ts'], at);
  await run([process.execPath, 'packages/binary/scripts/release/sign-release.ts', '--target', HOST], at);
  const made = join(copy, 'packages/binary/dist/release');
  const { version } = JSON.parse(readFileSync(join(made, 'manifest.json'), 'utf8')) as { version: string };
  cpSync(made, join(site, version), { recursive: true });
  return version;
}

/** Turns the copy into a later version, which migrates the database. */
function makeNewer(): void {
  for (const name of ['cli', 'server'])
    edit(`packages/${name}/package.json`, /"version": "[^"]+"/, `"version": "${NEWER}"`);
  edit(
    'packages/server/src/db/migrations/migrate.ts',
    /(MIGRATIONS: readonly Migration\[\] = \[[^\]]*?),?\s*\]/,
    `$1, { name: '${STEP}', up: async () => {} }]`,
  );
}

function edit(path: string, from: RegExp, to: string): void {
  const file = join(copy, path);
  const text = readFileSync(file, 'utf8');
  assert.match(text, from, `${path} has changed: adapt this rehearsal`);
  writeFileSync(file, text.replace(from, to));
}

async function upgrade(older: string): Promise<void> {
  await using releases = await startReleaseSite(site);
  releases.latest = NEWER;
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: folder,
    TMPDIR: folder,
    HUBLINE_KEYCHAIN: 'off',
    HUBLINE_UPGRADE_URL: releases.url,
  };
  const hubline = (...words: string[]) => run([installed, ...words], { cwd: folder, env });
  const version = async () => (await hubline('--version')).trim();
  const refused = async (words: readonly string[], why: RegExp) => {
    const before = readdirSync(bin);
    const tried = hubline(...words);
    await assert.rejects(tried, { message: why });
    assert.deepEqual(readdirSync(bin), before);
  };

  const owner = ['--data', 'data', '--email', 'ada@example.com', '--name', 'Acme', '--slug', 'acme'];
  const { api_key: key } = JSON.parse(await hubline('server', 'bootstrap', ...owner, '--json')) as {
    api_key: string;
  };
  assert.equal(await servedBy(env, key), older);

  const program = join(site, NEWER, `hubline-${NEWER}-${HOST}`);
  await withChanged(program, flipByte, () => refused(['upgrade'], /ended with 9:/));
  const stranger = generateKeyPairSync('ed25519').privateKey;
  const signature = join(site, NEWER, 'manifest.json.sig');
  await withChanged(
    signature,
    () => signed(stranger),
    () => refused(['upgrade'], /ended with 9:[^]*signature/),
  );
  assert.equal(await version(), older);

  await hubline('upgrade');
  assert.equal(await version(), NEWER);
  await hubline('upgrade', '--rollback', '--data', 'data');
  assert.equal(await version(), older);
  assert.equal(await servedBy(env, key), older);

  await hubline('upgrade', '--data', 'data');
  assert.equal(await servedBy(env, key), NEWER);
  const migrated = new RegExp(`has schema step ${STEP}`);
  await refused(['upgrade', '--rollback', '--data', 'data'], migrated);
  await refused(['upgrade', '--to', older, '--data', 'data'], migrated);
  assert.equal(await version(), NEWER);
  console.log(
    `  ${older} → ${NEWER} → ${older} → ${NEWER}: a changed byte, a stranger's signature and two ways back across ${STEP} were refused`,
  );
}

/** Starts the server on the data, reads it with the owner's key, and returns the version that serves it. */
async function servedBy(env: NodeJS.ProcessEnv, key: string): Promise<string> {
  const flags = ['--data', 'data', '--port', '0', '--json'];
  const server = spawn(installed, ['server', 'start', ...flags], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(server, 'exit');
  try {
    const first = once(createInterface(server.stdout), 'line') as Promise<[string]>;
    const [line] = await Promise.race([
      first,
      ended.then(([code]) => assert.fail(`server start ended with ${String(code)}`)),
    ]);
    const { base_url: baseUrl } = JSON.parse(line) as { base_url: string };
    const headers = { Authorization: `Bearer ${key}` };
    const read = async (path: string) => (await fetch(`${baseUrl}${path}`, { headers })).json();
    const { data } = (await read('/workspaces')) as { data: { id: string; slug: string }[] };
    assert.deepEqual(
      data.map(({ slug }) => slug),
      ['acme'],
    );
    const health = (await read(`/workspaces/${data[0]?.id}/health`)) as { version: string };
    return health.version;
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}

/** Changes a served file after it was signed, while `work` runs. */
async function withChanged(
  file: string,
  change: (bytes: Buffer) => Buffer,
  work: () => Promise<void>,
): Promise<void> {
  const kept = readFileSync(file);
  writeFileSync(file, change(Buffer.from(kept)));
  try {
    await work();
  } finally {
    writeFileSync(file, kept);
  }
}

function flipByte(bytes: Buffer): Buffer {
  const middle = bytes.length >> 1;
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  return bytes;
}

function signed(key: KeyObject): Buffer {
  const manifest = readFileSync(join(site, NEWER, 'manifest.json'));
  return Buffer.from(`${sign(null, manifest, key).toString('base64')}\n`);
}
