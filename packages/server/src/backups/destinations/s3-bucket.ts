import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import { ConfigError } from '../../config/config.ts';
import type { S3Access } from '../../config/s3-access.ts';
import { networkReason } from '../../system/network-reason.ts';

/** An object of a bucket. */
interface S3Object {
  key: string;
  bytes: number;
}

interface S3Request {
  method?: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  query?: Readonly<Record<string, string>>;
  body?: Buffer | string;
  signal?: AbortSignal | undefined;
  deadlineMs?: number;
  /** Returns a 404 to the caller instead of throwing. */
  mayBeAbsent?: boolean;
}

/** S3 takes at most 10,000 parts, each of at least 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_MAX = 10_000;
// Enough for a part at 30 kB a second: a slower connection is useless for a database.
const UPLOAD_MS = 300_000;
// A list, a manifest or a removal is a few kilobytes. A person or a stopping server waits for it.
const REQUEST_MS = 20_000;
const LAST_REQUEST_MS = 3_000;
const DOWNLOAD_MS = 24 * 3_600_000;
const RETRIES = 4;
const RETRY_MS = 250;

/** A bucket in S3, or in other storage with the same API. Errors name the object and the response. */
export class S3Bucket {
  readonly #bucket: string;
  readonly #base: string;
  readonly #client: AwsClient;

  constructor(
    bucket: string,
    { endpoint, region }: S3Access,
    credentials: NonNullable<S3Access['credentials']>,
  ) {
    this.#bucket = bucket;
    const amazon = `s3.${region}.amazonaws.com`;
    // Amazon wants the bucket in the host name, but its certificate is for names without dots; other services have a
    // certificate for one host only.
    if (endpoint !== null) this.#base = `${endpoint}/${bucket}`;
    else this.#base = bucket.includes('.') ? `https://${amazon}/${bucket}` : `https://${bucket}.${amazon}`;
    this.#client = new AwsClient({
      ...credentials,
      region,
      service: 's3',
    });
  }

  async list(prefix: string, signal?: AbortSignal): Promise<S3Object[]> {
    const found: S3Object[] = [];
    let token: string | undefined;
    do {
      const page = await this.#text('', {
        signal,
        query: {
          'list-type': '2',
          'encoding-type': 'url',
          prefix,
          ...(token === undefined ? {} : { 'continuation-token': token }),
        },
      });
      if (!page.includes('<ListBucketResult'))
        throw new ConfigError(
          `${this.#name('')} cannot be listed: the endpoint does not respond like S3. Set AWS_ENDPOINT_URL_S3 to the address of its S3 API.`,
        );
      // Some storage ignores the request for encoded keys, and then does not name the encoding.
      const isEncoded = textOf(page, 'EncodingType') === 'url';
      for (const object of page.split('<Contents>').slice(1)) {
        const key = textOf(object, 'Key') ?? '';
        found.push({
          key: isEncoded ? decodeURIComponent(key.replaceAll('+', ' ')) : key,
          bytes: Number(textOf(object, 'Size')),
        });
      }
      token = textOf(page, 'NextContinuationToken');
    } while (token !== undefined);
    return found;
  }

  /** The text of an object; `null` if there is none. */
  async read(key: string, signal?: AbortSignal): Promise<string | null> {
    const response = await this.#send(key, { signal, mayBeAbsent: true });
    return response.ok ? this.#whole(key, response) : null;
  }

  async write(key: string, body: Buffer | string, signal: AbortSignal): Promise<void> {
    await this.#text(key, { method: 'PUT', body, signal });
  }

  async remove(key: string, signal: AbortSignal): Promise<void> {
    await this.#text(key, { method: 'DELETE', signal });
  }

  /** Downloads an object into an existing file. */
  async download(key: string, file: string): Promise<void> {
    const { body } = await this.#send(key, { deadlineMs: DOWNLOAD_MS });
    if (body === null) throw new ConfigError(`The response for ${this.#name(key)} was empty. Try again.`);
    const target = createWriteStream(file, { flags: 'r+' });
    try {
      await pipeline(Readable.fromWeb(body as ReadableStream<Uint8Array>), target);
    } catch (error) {
      throw new ConfigError(
        `${this.#name(key)} was cut off: ${reasonOf(error)} after ${target.bytesWritten} bytes. Try again.`,
        { cause: error },
      );
    }
  }

  /** Sends a file in parts, with one part in memory at a time. The storage compares the checksum of each. */
  async upload(key: string, file: string, signal: AbortSignal): Promise<void> {
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      const partBytes = Math.max(PART_BYTES, Math.ceil(size / PARTS_MAX));
      const part = async (position: number): Promise<Buffer> => {
        const bytes = Buffer.alloc(Math.min(partBytes, size - position));
        await handle.read(bytes, 0, bytes.length, position);
        return bytes;
      };
      if (size <= partBytes) await this.write(key, await part(0), signal);
      else await this.#uploadParts(key, { part, count: Math.ceil(size / partBytes), partBytes, signal });
      const { headers } = await this.#send(key, { method: 'HEAD', signal });
      const arrived = Number(headers.get('content-length'));
      if (arrived !== size)
        throw new ConfigError(`${this.#name(key)} has ${arrived} bytes instead of ${size}.`);
    } finally {
      await handle.close();
    }
  }

  async #uploadParts(
    key: string,
    parts: {
      part: (position: number) => Promise<Buffer>;
      count: number;
      partBytes: number;
      signal: AbortSignal;
    },
  ): Promise<void> {
    const { part, count, partBytes, signal } = parts;
    const begun = await this.#text(key, { method: 'POST', query: { uploads: '' }, signal });
    const uploadId = textOf(begun, 'UploadId') ?? '';
    try {
      const done: string[] = [];
      for (let number = 1; number <= count; number += 1) {
        const query = { partNumber: String(number), uploadId };
        const body = await part((number - 1) * partBytes);
        const { headers } = await this.#send(key, { method: 'PUT', query, body, signal });
        const etag = headers.get('etag') ?? '';
        done.push(`<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`);
      }
      const body = `<CompleteMultipartUpload>${done.join('')}</CompleteMultipartUpload>`;
      const result = await this.#text(key, { method: 'POST', query: { uploadId }, body, signal });
      // S3 may fail after it has sent the 200.
      if (result.includes('<Error>')) throw new ConfigError(`${this.#name(key)}: ${reasonIn(result)}`);
    } catch (error) {
      // S3 charges for the parts of an upload that is never completed. A server that stops waits only briefly.
      const deadlineMs = signal.aborted ? LAST_REQUEST_MS : REQUEST_MS;
      await this.#text(key, { method: 'DELETE', query: { uploadId }, deadlineMs }).catch(() => undefined);
      throw error;
    }
  }

  async #text(key: string, request: S3Request): Promise<string> {
    return this.#whole(key, await this.#send(key, request));
  }

  async #whole(key: string, response: Response): Promise<string> {
    try {
      return await response.text();
    } catch (error) {
      throw new ConfigError(
        `The response of the storage for ${this.#name(key)} was cut off: ${reasonOf(error)}. Check the network, and try again.`,
        { cause: error },
      );
    }
  }

  async #send(
    key: string,
    {
      method = 'GET',
      query = {},
      body,
      signal,
      // S3 joins the parts of an upload before it responds to the POST.
      deadlineMs = body === undefined && method !== 'POST' ? REQUEST_MS : UPLOAD_MS,
      mayBeAbsent = false,
    }: S3Request,
  ): Promise<Response> {
    const path = key.split('/').map(encodeURIComponent).join('/');
    const url = new URL(key === '' ? this.#base : `${this.#base}/${path}`);
    // `URLSearchParams` writes a space as +, but the signature is over %20.
    url.search = Object.entries(query)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
    const headers = body === undefined ? {} : { 'Content-MD5': md5(body) };
    const deadline = AbortSignal.timeout(deadlineMs);
    const init = {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    };
    let response: Response;
    try {
      response = await this.#fetch(url, init, signal ? AbortSignal.any([signal, deadline]) : deadline);
    } catch (error) {
      throw new ConfigError(
        `${url.origin} cannot be reached for ${this.#name(key)}: ${reasonOf(error)}. Check the network, and AWS_ENDPOINT_URL_S3 and AWS_REGION.`,
        { cause: error },
      );
    }
    if (response.ok || (mayBeAbsent && response.status === 404)) return response;
    const text = await this.#whole(key, response);
    if (textOf(text, 'Code') === 'NoSuchBucket')
      throw new ConfigError(
        `There is no bucket ${this.#bucket} at ${url.host}. Create it, or name another with --backup-to or HUBLINE_BACKUP_TO. Check AWS_REGION and AWS_ENDPOINT_URL_S3, too.`,
      );
    throw new ConfigError(
      `${this.#name(key)}: the storage responded with ${response.status} ${reasonIn(text)}`.trim(),
    );
  }

  /** Sends a request, and retries while the storage is busy. */
  async #fetch(url: URL, init: RequestInit, signal: AbortSignal): Promise<Response> {
    for (let retry = 0; ; retry += 1) {
      // The signal goes to `fetch` directly: if it is set on the request, Node (24) loses it at the next garbage
      // collection.
      const response = await fetch(await this.#client.sign(url, init), { signal });
      if (retry === RETRIES || (response.status < 500 && response.status !== 429)) return response;
      await response.body?.cancel();
      await setTimeout(Math.random() * RETRY_MS * 2 ** retry, undefined, { signal });
    }
  }

  #name(key: string): string {
    return `s3://${this.#bucket}/${key}`;
  }
}

const md5 = (body: Buffer | string): string => createHash('md5').update(body).digest('base64');

/** The text of the first element of that name. The elements that are read here have no attributes in S3. */
const textOf = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.replaceAll(REFERENCE, characterOf);

/** A character as XML writes it. Storage in Go, such as MinIO, writes quotation marks as numbers. */
const REFERENCE = /&(?:#(x[\da-f]{1,5}|\d{1,6})|(amp|lt|gt|quot|apos));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const characterOf = (reference: string, code?: string, name = ''): string =>
  code === undefined ? (NAMED[name] ?? reference) : String.fromCodePoint(Number(code.replace(/^x/i, '0x')));

/** The reason of a failed `fetch`, whose own message says nothing; the reason is in its `cause`. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return networkReason(error) ?? (cause instanceof Error ? cause.message : message);
}

/** The reason in an error document. */
const reasonIn = (xml: string): string =>
  [textOf(xml, 'Code'), textOf(xml, 'Message')].filter((text) => text !== undefined).join(': ');
