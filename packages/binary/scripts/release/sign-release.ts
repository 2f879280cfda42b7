/**
 * Makes the files of a release from those that `build:binary` has built: each under its own name, the manifest that `hubline upgrade`
 * reads, its signature, and checksums for people (docs/decisions/upgrade.md). They are in packages/binary/dist/release, which does not
 * change until all files are checked. Tests pass another folder than packages/binary/dist with `--dist`.
 */
import { execFileSync } from 'node:child_process';
import { createHash, createPublicKey, sign } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { isOfLastBuild } from '../build-id.ts';
import { privateKeyOf, publicKeyOf } from './release-key.ts';
import { Refusal, runScript, targetsOf } from '../script.ts';
import { HOST, type Target, TARGETS } from '../targets.ts';

const USAGE = `Usage:
  HUBLINE_RELEASE_PRIVATE_KEY="$(cat release.pem)" npx -y pnpm@12 sign:release

Signs all files that are built, or those for --target, such as --target linux-x64,linux-arm64. The one for this system says which version
they are.`;

await runScript({
  usage: USAGE,
  options: {
    target: { type: 'string', default: 'all' },
    dist: { type: 'string', default: join(import.meta.dirname, '../../dist') },
  },
  run: ({ target, dist }) => {
    const pem = process.env['HUBLINE_RELEASE_PRIVATE_KEY'];
    if (!pem)
      throw new Refusal(`HUBLINE_RELEASE_PRIVATE_KEY is missing: the ed25519 key of releases, in PEM.`);
    const privateKey = privateKeyOf(pem);
    const publicKey = publicKeyOf(
      createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }) as string,
    );
    const wanted =
      target === 'all' ? TARGETS.filter((each) => existsSync(fileOf(dist, each))) : targetsOf(target);
    const own = TARGETS.find(({ name }) => name === HOST);
    if (!own)
      throw new Refusal(
        `There is no hubline for ${HOST}, so its version cannot be read. Sign on another system.`,
      );
    for (const each of new Set([own, ...wanted])) check(dist, each, publicKey);
    const output = execFileSync(fileOf(dist, own), ['version', '--json'], { encoding: 'utf8' });
    const { version, schema } = JSON.parse(output) as { version: string; schema: string };

    const release = join(dist, 'release');
    const fresh = join(dist, 'release.partial');
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh);
    try {
      const files = Object.fromEntries(
        wanted.map((each) => {
          const { name: system, program } = each;
          const name = `hubline-${version}-${system}${program.replace('hubline', '')}`;
          copyFileSync(fileOf(dist, each), join(fresh, name));
          const bytes = readFileSync(join(fresh, name));
          return [
            system,
            { name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
          ];
        }),
      );
      const date = new Date().toISOString().slice(0, 10);
      const manifest = Buffer.from(`${JSON.stringify({ version, date, schema, files }, null, 2)}\n`);
      const signature = sign(null, manifest, privateKey).toString('base64');
      writeFileSync(join(fresh, 'manifest.json'), manifest);
      writeFileSync(join(fresh, 'manifest.json.sig'), `${signature}\n`);
      writeFileSync(join(fresh, 'hubline.pub.pem'), publicKey);
      const contents = join(dist, 'hubline.cdx.json');
      if (existsSync(contents)) copyFileSync(contents, join(fresh, `hubline-${version}.cdx.json`));
      const sums = Object.values(files).map(({ name, sha256 }) => `${sha256}  ${name}\n`);
      writeFileSync(join(fresh, 'SHA256SUMS'), sums.join(''));
      rmSync(release, { recursive: true, force: true });
      renameSync(fresh, release);
      console.log(`hubline ${version}: ${Object.keys(files).join(', ')}, signed`);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  },
});

function fileOf(dist: string, { name, program }: Target): string {
  return join(dist, name, program);
}

/** Refuses a file that is missing, is from another build, or could not be upgraded. */
function check(dist: string, target: Target, publicKey: string): void {
  const { name } = target;
  const file = fileOf(dist, target);
  const named = relative(process.cwd(), file);
  const build = `npx -y pnpm@12 build:binary --target ${name}`;
  const without = name === HOST ? '' : '\nOr sign the others alone, with --target.';
  if (!existsSync(file)) throw new Refusal(`There is no ${named}. Build it first: ${build}`);
  const bytes = readFileSync(file);
  // A file from an earlier build would get the version and the name of this one.
  if (!isOfLastBuild(dist, bytes))
    throw new Refusal(`${named} is older than the others. Build it again: ${build}${without}`);
  // A user of this file could not upgrade to a later one.
  if (!bytes.includes(publicKey))
    throw new Refusal(
      `${named} was built without the key of releases, or with another. Build it again: HUBLINE_RELEASE_PUBLIC_KEY="$(openssl pkey -in release.pem -pubout)" ${build}${without}`,
    );
}
