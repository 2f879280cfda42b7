import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConfigError } from '../../config/config.ts';
import { makePrivateFolder } from '../../data-directory/make-directory.ts';
import { type Destination, newestFirst, type Stored } from './destination.ts';
import { backupOf, type Manifest, manifestOf, parseManifest, seriesOf } from '../manifest.ts';
import type { S3Bucket } from './s3-bucket.ts';

interface S3Options {
  bucket: string;
  /** Empty, or ending with a slash. */
  prefix: string;
  /** The directory of this machine in which copies are made. */
  workshop: string;
}

/**
 * Backups in a bucket. The database is copied into the data directory first, so that it does not change during the
 * upload.
 */
export class S3Destination implements Destination {
  readonly #s3: S3Bucket;
  readonly #options: S3Options;

  constructor(s3: S3Bucket, options: S3Options) {
    this.#s3 = s3;
    this.#options = options;
  }

  async begin(name: string, signal: AbortSignal): Promise<string> {
    const { workshop, prefix } = this.#options;
    for (const folder of [dirname(workshop), workshop]) makePrivateFolder(folder);
    for (const file of await readdir(workshop)) await rm(join(workshop, file), { force: true });
    const names = new Set((await this.#objects(signal)).map(({ key }) => key.slice(prefix.length)));
    for (const each of names)
      if (seriesOf(each) === seriesOf(name) && !names.has(manifestOf(each))) await this.#remove(each, signal);
    return join(workshop, name);
  }

  async complete(name: string, manifest: Manifest, signal: AbortSignal): Promise<void> {
    const file = join(this.#options.workshop, name);
    await this.#s3.upload(this.#keyOf(name), file, signal);
    const key = this.#keyOf(manifestOf(name));
    await this.#s3.write(key, JSON.stringify(manifest), signal);
    // Some storage changes an unusual key, such as one with //: no list, and so no restore, would find the backup.
    if (!(await this.#objects(signal)).some((object) => object.key === key))
      throw new ConfigError(
        `The storage took ${this.pathOf(name)}, but does not list it, so a restore would not find it. Name a plainer prefix with --backup-to or HUBLINE_BACKUP_TO, of letters, digits, hyphens and single slashes.`,
      );
    await rm(file, { force: true });
  }

  async discard(name: string, signal: AbortSignal): Promise<void> {
    await rm(join(this.#options.workshop, name), { force: true });
    await this.remove(name, signal);
  }

  async list(signal?: AbortSignal): Promise<Stored> {
    const sizes = new Map((await this.#objects(signal)).map(({ key, bytes }) => [this.#nameOf(key), bytes]));
    const found: Stored = { complete: [], damaged: [] };
    for (const file of sizes.keys()) {
      const name = backupOf(file);
      if (name === null) continue;
      // The server may have removed it in the meantime.
      const text = await this.#s3.read(this.#keyOf(file), signal);
      if (text === null) continue;
      const manifest = parseManifest(text);
      if (manifest && manifest.bytes === sizes.get(name))
        found.complete.push({ ...manifest, name, path: this.pathOf(name) });
      else found.damaged.push(name);
    }
    return { ...found, complete: newestFirst(found.complete) };
  }

  fetch(name: string, file: string): Promise<void> {
    return this.#s3.download(this.#keyOf(name), file);
  }

  async remove(name: string, signal: AbortSignal): Promise<void> {
    // The manifest goes first: without it the rest does not count.
    await this.#remove(manifestOf(name), signal);
    await this.#remove(name, signal);
  }

  pathOf(name: string): string {
    return `s3://${this.#options.bucket}/${this.#keyOf(name)}`;
  }

  #objects(signal?: AbortSignal) {
    return this.#s3.list(`${this.#options.prefix}hubline-`, signal);
  }

  #remove(name: string, signal: AbortSignal): Promise<void> {
    return this.#s3.remove(this.#keyOf(name), signal);
  }

  #keyOf(name: string): string {
    return `${this.#options.prefix}${name}`;
  }

  #nameOf(key: string): string {
    return key.slice(this.#options.prefix.length);
  }
}
