import { join, resolve } from 'node:path';
import { ConfigError, type ServerConfig } from '../config.ts';
import type { Destination } from './destination.ts';
import { DirectoryDestination } from './directory-destination.ts';
import { S3Bucket } from './s3-bucket.ts';
import { S3Destination } from './s3-destination.ts';

const S3_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;

/** Reports whether a backup is named by its URL. */
export const isInS3 = (named: string): boolean => named.startsWith('s3://');

/** The place of backups that somebody named: a directory, or `s3://bucket/prefix`. Throws `ConfigError`. */
export function openDestination(place: string, { data, s3 }: Pick<ServerConfig, 'data' | 's3'>): Destination {
  if (!isInS3(place)) {
    if (resolve(place) === resolve(data))
      throw new ConfigError(
        `--backup-to ${place} is the data directory. Keep backups elsewhere, best on another disk.`,
      );
    return new DirectoryDestination(place);
  }
  const [, bucket, path = ''] = S3_URL.exec(place) ?? [];
  if (bucket === undefined)
    throw new ConfigError(`${place} must name a bucket, such as s3://bucket or s3://bucket/prefix.`);
  if (s3.credentials === null)
    throw new ConfigError(
      `${place} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Set AWS_REGION, or AWS_ENDPOINT_URL_S3 for a storage that is not Amazon's.`,
    );
  const prefix = path.replace(/\/+$/, '');
  return new S3Destination(new S3Bucket(bucket, s3, s3.credentials), {
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    workshop: join(data, 'backups', 'upload'),
  });
}
