import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Release } from '../commands/upgrade/releases.ts';
import { temporaryDirectory } from './run-cli.ts';

/** The system that the tests run on, by its name in a manifest. */
export const TARGET = `${process.platform.replace('win32', 'windows')}-${process.arch}`;

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const pem = (key: typeof publicKey): string => key.export({ type: 'spki', format: 'pem' }) as string;

/** The private key of the releases that tests make. */
export const SIGNING_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

/** The public key of the releases that tests make. */
export const RELEASE_KEY = pem(publicKey);

/** The key of somebody else. */
export const OTHER_KEY = pem(generateKeyPairSync('ed25519').publicKey);

/** A program of a few lines that describes itself as hubline does. */
export const programOf = (description: object): string =>
  `#!/bin/sh\n[ "$*" = "version --json" ] || exit 3\necho '${JSON.stringify({ sqlite: '3.50.0', ...description })}'\n`;

interface Made {
  readonly schema?: string;
  /** Default: one that runs, and says the version. */
  readonly program?: string | Buffer;
  /** Overrides parts of the manifest. */
  readonly says?: Partial<Release>;
  /** The bytes that are served instead of the signed ones. */
  readonly served?: string | Buffer;
}

/** A server of releases as strict as GitHub: it serves only `GET` of existing files, and redirects `latest` to the newest release. */
export async function releaseServer() {
  const folder = await temporaryDirectory();
  const asked: string[] = [];
  let latest = '';
  let cutOff = '';
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    asked.push(`${method} ${url}`);
    const [, inLatest] = /^\/latest\/download\/([\w.-]+)$/.exec(url) ?? [];
    const [, version, name] = /^\/download\/v(\d+\.\d+\.\d+)\/([\w.-]+)$/.exec(url) ?? [];
    if (method !== 'GET' || headers.authorization !== undefined) response.writeHead(400).end();
    else if (inLatest !== undefined)
      response.writeHead(302, { location: `/download/v${latest}/${inLatest}` }).end('moved');
    else if (version === undefined || name === undefined) response.writeHead(404).end();
    else {
      if (name.startsWith('hubline-')) api.onFile();
      readFile(join(folder, version, name)).then(
        (body) => {
          response.writeHead(200, { 'content-length': body.length });
          if (name !== cutOff) return response.end(body);
          response.write(body.subarray(0, 10));
          return setImmediate(() => response.destroy());
        },
        () => response.writeHead(404).end('not found'),
      );
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const api = {
    /** Called when a program is requested. */
    onFile: (): void => undefined,
    asked,
    folder,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Makes a version the newest. */
    lead: (version: string) => (latest = version),
    /** Ends the connection in the middle of this file. */
    cutOff: (name: string) => (cutOff = name),
    /** Signs a release, and makes it the newest. */
    async publish(
      version: string,
      { schema = '9999-newest', program = programOf({ version, schema }), says, served = program }: Made = {},
    ): Promise<Release> {
      const name = `hubline-${version}-${TARGET}`;
      const sha256 = createHash('sha256').update(program).digest('hex');
      const files = { [TARGET]: { name, size: Buffer.byteLength(program), sha256 } };
      const release = { version, date: '2026-12-01', schema, files, ...says };
      const text = Buffer.from(JSON.stringify(release));
      const place = join(folder, version);
      await mkdir(place, { recursive: true });
      await writeFile(join(place, 'manifest.json'), text);
      await writeFile(join(place, 'manifest.json.sig'), sign(null, text, privateKey).toString('base64'));
      await writeFile(join(place, name), served);
      latest = version;
      return release;
    },
  };
  return api;
}
