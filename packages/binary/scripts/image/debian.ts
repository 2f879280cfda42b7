import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Refusal } from '../script.ts';
import { unxz } from './deb.ts';

/** A package of Debian at one version. Only the hash is trusted, wherever the file comes from. */
export interface Pin {
  readonly name: string;
  readonly version: string;
  /** The path below the URL of the mirror. */
  readonly path: string;
  readonly sha256: string;
}

/** The packages of the image, by Debian's name for the processor. */
export type Pins = Readonly<Record<string, readonly Pin[]>>;

const MIRROR = process.env['HUBLINE_DEBIAN_MIRROR'] || 'https://deb.debian.org';
const RELEASE = 'trixie';
/** The archives of a release and of its security updates. */
const SUITES = [
  ['debian', RELEASE],
  ['debian-security', `${RELEASE}-security`],
] as const;
const cache = join(import.meta.dirname, '../../node_modules/.cache/debian');

/** The file of a package: from the cache, or from the mirror the first time. */
export async function fetchDeb({ name, path, sha256 }: Pin): Promise<Buffer<ArrayBuffer>> {
  const file = join(cache, `${sha256}-${basename(path)}`);
  // One that was not written to its end, or was changed, is downloaded again.
  const kept = existsSync(file) ? readFileSync(file) : undefined;
  if (kept && hashOf(kept) === sha256) return kept;
  const bytes = await download(path);
  const found = hashOf(bytes);
  if (found !== sha256)
    throw new Refusal(
      `${name}: ${MIRROR}/${path} has the hash ${found}, not ${sha256}. Do not use it; try another mirror.`,
    );
  mkdirSync(cache, { recursive: true });
  writeFileSync(file, bytes);
  return bytes;
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Pins the same packages at the newest versions that Debian has. */
export async function newestPins(pins: Pins): Promise<Pins> {
  const newest = Object.entries(pins).map(async ([processor, packages]) => {
    const offered = (await Promise.all(SUITES.map((suite) => offersOf(suite, processor)))).flat();
    const pinned = packages.map(({ name }) => {
      const best = offered
        .filter((offer) => offer.name === name)
        .sort(byVersion)
        .at(-1);
      if (!best) throw new Refusal(`${name}: Debian ${RELEASE} has no such package for ${processor}`);
      return best;
    });
    return [processor, pinned] as const;
  });
  return Object.fromEntries(await Promise.all(newest));
}

// Good enough within one release, where versions of a package differ in numbers only.
const { compare } = new Intl.Collator('en', { numeric: true });
const byVersion = (one: Pin, other: Pin): number => compare(one.version, other.version);

async function offersOf([archive, suite]: readonly [string, string], processor: string): Promise<Pin[]> {
  const packed = await download(`${archive}/dists/${suite}/main/binary-${processor}/Packages.xz`);
  const index = await text(unxz(packed));
  return index.split('\n\n').flatMap((paragraph) => {
    const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(paragraph)?.[1] ?? '';
    const name = field('Package');
    if (name === '') return [];
    return [
      { name, version: field('Version'), path: `${archive}/${field('Filename')}`, sha256: field('SHA256') },
    ];
  });
}

async function download(path: string): Promise<Buffer<ArrayBuffer>> {
  const url = `${MIRROR}/${path}`;
  const response = await fetch(url).catch((error: unknown) => {
    throw new Refusal(`${url} cannot be reached. Check the network, or set HUBLINE_DEBIAN_MIRROR.`, {
      cause: error,
    });
  });
  if (response.status === 404)
    throw new Refusal(
      `${url} is gone: Debian has replaced it. Run build:image --update and commit what it changes, or set HUBLINE_DEBIAN_MIRROR to a mirror that still has it.`,
    );
  if (!response.ok)
    throw new Refusal(`${url} returned ${response.status}. Try again, or set HUBLINE_DEBIAN_MIRROR.`);
  return Buffer.from(await response.arrayBuffer());
}
