/**
 * Makes the files of a release from those that `build:binary` has built: each under a name of its own, the manifest that `hubline upgrade`
 * reads, its signature, and checksums for people (docs/decisions/upgrade.md). They are in packages/binary/dist/release.
 *
 *   HUBLINE_RELEASE_PRIVATE_KEY="$(cat release.pem)" npx -y pnpm@12 sign:release
 *
 * All that are built, or the one for `--target`; this system's own file says which version they are.
 */
import { execFileSync } from 'node:child_process';
import { createHash, createPublicKey, sign } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { privateKeyOf, publicKeyOf } from './release-key.ts';
import { HOST, TARGETS } from './targets.ts';

const dist = join(import.meta.dirname, '../dist');
const release = join(dist, 'release');

const pem = process.env['HUBLINE_RELEASE_PRIVATE_KEY'];
if (!pem) throw new Error('HUBLINE_RELEASE_PRIVATE_KEY: the ed25519 key of releases, in PEM, is missing');
const privateKey = privateKeyOf(pem);
const publicKey = publicKeyOf(createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }) as string);

const { values } = parseArgs({ options: { target: { type: 'string', default: 'all' } } });
const wanted = TARGETS.filter(({ name }) => values.target === 'all' || name === values.target);
const built = wanted.flatMap(({ name, program }) => {
  const file = join(dist, name, program);
  return existsSync(file) ? [{ target: name, program, file }] : [];
});
const own = built.find(({ target }) => target === HOST);
if (!own) throw new Error(`There is no file for ${HOST}, which says what the others are: run build:binary`);
const { version, schema } = JSON.parse(
  execFileSync(own.file, ['version', '--json'], { encoding: 'utf8' }),
) as { version: string; schema: string };

const script = readFileSync(join(dist, 'parts/server.js'));
rmSync(release, { recursive: true, force: true });
mkdirSync(release, { recursive: true });
const files = Object.fromEntries(
  built.map(({ target, program, file }) => {
    const bytes = readFileSync(file);
    // A file that is left from another build would get the wrong version.
    if (!bytes.includes(script))
      throw new Error(`${file} is older than the others: run build:binary for all`);
    // Otherwise nobody who takes this file could take a later one.
    if (!bytes.includes(publicKey))
      throw new Error(`${file} does not hold the public key of HUBLINE_RELEASE_PRIVATE_KEY`);
    const name = `hubline-${version}-${target}${program.replace('hubline', '')}`;
    copyFileSync(file, join(release, name));
    return [target, { name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }];
  }),
);
const date = new Date().toISOString().slice(0, 10);
const manifest = Buffer.from(`${JSON.stringify({ version, date, schema, files }, null, 2)}\n`);
writeFileSync(join(release, 'manifest.json'), manifest);
writeFileSync(join(release, 'manifest.json.sig'), `${sign(null, manifest, privateKey).toString('base64')}\n`);
writeFileSync(join(release, 'hubline.pub.pem'), publicKey);
const contents = join(dist, 'hubline.cdx.json');
if (existsSync(contents)) copyFileSync(contents, join(release, `hubline-${version}.cdx.json`));
const sums = Object.values(files).map(({ name, sha256 }) => `${sha256}  ${name}\n`);
writeFileSync(join(release, 'SHA256SUMS'), sums.join(''));
console.log(`hubline ${version}: ${Object.keys(files).join(', ')}, signed`);
