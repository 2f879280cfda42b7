import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** The reference by which a file of the layout names another. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  /** The machines that an image is for. */
  readonly platform?: Image['platform'];
}

/** An image for one platform. `layers` are tar archives from the lowest to the highest, each with the line of its history. */
export interface Image {
  readonly platform: { readonly os: 'linux'; readonly architecture: string; readonly variant?: string };
  readonly config: Readonly<Record<string, unknown>>;
  readonly layers: readonly { readonly tar: Uint8Array; readonly made: string }[];
}

const TYPE = 'application/vnd.oci.image';
const compress = promisify(gzip);

/** A folder in the image layout of the Open Container Initiative, version 1.0. */
export class Layout {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, 'blobs/sha256'), { recursive: true });
    writeFileSync(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  }

  /** Adds an image for a platform. Returns its descriptor for the index. */
  async add({ platform, config, layers }: Image): Promise<Descriptor> {
    const packed = await Promise.all(layers.map(async ({ tar }) => compress(tar)));
    const described = packed.map((layer) => this.#put(`${TYPE}.layer.v1.tar+gzip`, layer));
    const inner = this.#putJson(`${TYPE}.config.v1+json`, {
      ...platform,
      config,
      rootfs: { type: 'layers', diff_ids: layers.map(({ tar }) => digestOf(tar)) },
      history: layers.map(({ made }) => ({ created_by: made })),
    });
    const manifest = { config: inner, layers: described };
    return { ...this.#putJson(`${TYPE}.manifest.v1+json`, manifest), platform };
  }

  /** Combines the images into one index, from which every machine takes the image that it can run. */
  finish(manifests: readonly Descriptor[], version: string): Descriptor {
    const index = this.#putJson(`${TYPE}.index.v1+json`, { manifests });
    const named = { ...index, annotations: { 'org.opencontainers.image.ref.name': version } };
    const top = { schemaVersion: 2, mediaType: `${TYPE}.index.v1+json`, manifests: [named] };
    writeFileSync(join(this.#folder, 'index.json'), JSON.stringify(top));
    return index;
  }

  #putJson(mediaType: string, value: object): Descriptor {
    const versioned = mediaType.includes('.config.') ? value : { schemaVersion: 2, mediaType, ...value };
    return this.#put(mediaType, Buffer.from(JSON.stringify(versioned)));
  }

  #put(mediaType: string, bytes: Uint8Array): Descriptor {
    const digest = digestOf(bytes);
    writeFileSync(join(this.#folder, 'blobs', digest.replace(':', '/')), bytes);
    return { mediaType, digest, size: bytes.length };
  }
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
