import { join, resolve } from 'node:path';
import { ConfigError, isHttpBase, type ServerConfig } from '../../config/config.ts';
import type { Destination } from './destination.ts';
import { DirectoryDestination } from './directory-destination.ts';
import { S3Bucket } from './s3-bucket.ts';
import { S3Destination } from './s3-destination.ts';

/** A URL, or a mistyped one of S3. */
const SCHEME = /^(?:[a-z][a-z0-9+.-]*:\/\/|s3:)/i;
const S3_URL = /^s3:\/\/([^/]*)(?:\/(.*))?$/;
const BUCKET = /^[a-z0-9][a-z0-9.-]*[a-z0-9]$/;
const BUCKET_MIN = 3;
const BUCKET_MAX = 63;

/** Reports whether a backup is named by its URL. */
export const isInS3 = (named: string): boolean => named.startsWith('s3://');

/** Opens the named destination: a directory, or `s3://bucket/prefix`. Throws `ConfigError`. */
export function openDestination(
  address: string,
  { data, s3, names, backupTo }: Pick<ServerConfig, 'data' | 's3' | 'names' | 'backupTo'>,
): Destination {
  // A backup may be named by its own path, too.
  const named = address === backupTo ? `${names.backupTo} ${address}` : address;
  if (!isInS3(address)) {
    if (SCHEME.test(address))
      throw new ConfigError(
        `${named} is neither a directory nor s3://bucket/prefix, in lowercase. Name one of them.`,
      );
    if (resolve(address) === resolve(data)) throw isDataDirectory(named);
    return new DirectoryDestination(address);
  }
  const [, bucket = '', path = ''] = S3_URL.exec(address) ?? [];
  refuseBucket(bucket, named);
  // In a URL they would lead to another key, or even to another bucket.
  if (path.split('/').some((part) => part === '.' || part === '..'))
    throw new ConfigError(`${named} must not have "." or ".." in its prefix. Write the prefix in full.`);
  refuseEndpoint(s3.endpoint);
  if (s3.credentials === null)
    throw new ConfigError(
      `${named} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Set AWS_REGION, or AWS_ENDPOINT_URL_S3 for storage that is not Amazon's.`,
    );
  const prefix = path.replace(/\/+$/, '');
  return new S3Destination(new S3Bucket(bucket, s3, s3.credentials), {
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    workshop: join(data, 'backups', 'upload'),
  });
}

/** The refusal of backups beside their database. */
export const isDataDirectory = (named: string): ConfigError =>
  new ConfigError(`${named} is the data directory. Keep backups elsewhere, ideally on another disk.`);

/** Refuses an unusable endpoint, without its value: it may hold a password. */
function refuseEndpoint(endpoint: string | null): void {
  if (endpoint === null || isHttpBase(endpoint)) return;
  throw new ConfigError(
    'AWS_ENDPOINT_URL_S3 (or AWS_ENDPOINT_URL) must be a URL such as https://s3.example.com, without user, ? and #. Put the key into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  );
}

function refuseBucket(bucket: string, named: string): void {
  const refusal = (rule: string): ConfigError =>
    new ConfigError(`${named} must name a bucket, such as s3://bucket or s3://bucket/prefix${rule}`);
  if (bucket === '') throw refusal('.');
  if (bucket.length < BUCKET_MIN || bucket.length > BUCKET_MAX)
    throw refusal(
      `: "${bucket}" is too ${bucket.length < BUCKET_MIN ? 'short' : 'long'}: a name has ${BUCKET_MIN} to ${BUCKET_MAX} characters.`,
    );
  if (!BUCKET.test(bucket))
    throw refusal(`: "${bucket}" is not a valid name: use lowercase letters, digits, dots and hyphens.`);
}
