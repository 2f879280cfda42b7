import { verify } from 'node:crypto';
import { downloadShort } from '../../client/download.ts';
import { isLoopback, parseAddress, shownAddress } from '../../config/base-url.ts';
import type { Context } from '../../context.ts';
import { CommandError, usageError } from '../../errors/errors.ts';
import { PROJECT_URL } from '../../about.ts';

/** A file of a release. */
export interface ReleaseFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** The signed manifest of a release: `manifest.json`. */
export interface Release {
  readonly version: string;
  /** `2026-11-23`. */
  readonly date: string;
  /** The newest step of the database's schema that the release makes. */
  readonly schema: string;
  /** By system: `linux-x64`. */
  readonly files: Readonly<Record<string, ReleaseFile>>;
}

/** A release, and the address of its files. */
interface FoundRelease extends Release {
  readonly address: string;
}

/** The URL of the releases, laid out as on GitHub: `latest/download/<file>` and `download/v<version>/<file>`. */
const RELEASES = `${PROJECT_URL}/releases`;

// Far more than the dozen lines of a manifest.
const MOST_BYTES = 65_536;

/** The release of a version, or the newest one. Refuses one that is not signed with `key`. */
export async function findRelease(ctx: Context, key: string, version?: string): Promise<FoundRelease> {
  const place = placeOf(ctx.env);
  const address = `${place}/${version === undefined ? 'latest/download' : `download/v${version}`}`;
  const release = await readManifest(ctx, address, key).catch((error: unknown) => {
    if (!(error instanceof CommandError) || error.reason !== 'not_found') throw error;
    throw version === undefined
      ? new CommandError(
          'not_found',
          `There is no release at ${shownAddress(place)}.`,
          `It must have latest/download/manifest.json. Check ${ctx.env['HUBLINE_UPGRADE_URL'] ? 'HUBLINE_UPGRADE_URL' : 'that page'}.`,
        )
      : new CommandError('not_found', `There is no release ${version} at ${shownAddress(place)}.`);
  });
  if (version !== undefined && release.version !== version)
    throw forged(`${shownAddress(address)} has the manifest of ${release.version}, not that of ${version}.`);
  return { ...release, address: `${place}/download/v${release.version}` };
}

function placeOf(env: Context['env']): string {
  const named = env['HUBLINE_UPGRADE_URL'];
  if (!named) return RELEASES;
  const url = parseAddress(named);
  const isSafe = url?.protocol === 'https:' || isLoopback(url?.hostname ?? '');
  // Paths are appended to the URL.
  if (url && isSafe && !/[?#]/.test(named)) return url.href.replace(/\/+$/, '');
  throw usageError(
    // A value with an @ may hold a password, so it is not shown.
    `HUBLINE_UPGRADE_URL must be an https:// address without ? and #${named.includes('@') ? '' : `, not "${named}"`}.`,
    'Name the folder that has latest/download/manifest.json; http:// is for this machine only.',
  );
}

async function readManifest(ctx: Context, address: string, key: string): Promise<Release> {
  const text = await downloadShort(ctx, `${address}/manifest.json`, MOST_BYTES);
  const signature = await downloadShort(ctx, `${address}/manifest.json.sig`, MOST_BYTES);
  if (!verify(null, text, key, Buffer.from(signature.toString('latin1'), 'base64')))
    throw forged(`The signature of ${shownAddress(address)}/manifest.json is not that of Hubline.`);
  return JSON.parse(text.toString('utf8')) as Release;
}

/** The error for a wrong signature: somebody may be between us and the release. */
export function forged(message: string): CommandError {
  return new CommandError(
    'check_failed',
    message,
    `Nothing was changed. Try again, since a release may just have come out. If this happens again, report it: ${PROJECT_URL}/security/advisories/new`,
  );
}
