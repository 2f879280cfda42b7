import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { packTar, type TarEntry } from 'modern-tar';

export interface Descriptor {
  readonly digest: string;
}

export interface Image {
  readonly layers: readonly Descriptor[];
  readonly rootfs: { readonly diff_ids: readonly string[] };
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly [string];
    readonly Cmd: readonly string[];
    readonly Healthcheck: { readonly Test: readonly string[] };
  };
}

const run = promisify(execFile);
const binary = join(import.meta.dirname, '../..');
const cache = join(binary, 'node_modules/.cache/debian');
/** `control.tar.xz`, as Debian packs it. */
const CONTROL =
  '/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM4Cf/AJtdABcLyOfZ5dHD1ZV9QtvcDlxs1FkS8hVsPYSPDzxrlTNjxpSxFjaRWo1L/hVRZfmFDa78E8TLJkac2VQS+tMYudSycrK220zKeOSPSVUq26d3YJGA73PrAA8yGeNIKYdUtu2UyXGWUsv+Vkkp628e3kyOqj/P2LA8sQoQfcKTCUTm2nafq/xH0cObvpX6XuFPQLlfv3vBdWvxQ7AAAABOMcrWgkP27wABtwGAUAAAK0YfeLHEZ/sCAAAAAARZWg==';

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

/** A package of Debian with these files, each below `usr`. */
export async function deb(files: Readonly<Record<string, Uint8Array | string>>): Promise<Buffer> {
  const entries = Object.entries(files).map(([name, content]): TarEntry => {
    const body = Buffer.from(content);
    return { header: { name: `./usr/${name}`, size: body.length, mode: 0o755 }, body };
  });
  const member = (name: string, body: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(`${`${name.padEnd(48)}${body.length}`.padEnd(58)}\`\n`),
      body,
      Buffer.alloc(body.length % 2, '\n'),
    ]);
  return Buffer.concat([
    Buffer.from('!<arch>\n'),
    member('debian-binary', Buffer.from('2.0\n')),
    member('control.tar.xz', Buffer.from(CONTROL, 'base64')),
    member('data.tar.gz', gzipSync(await packTar(entries), { level: 1 })),
  ]);
}

/** Makes images of programs and packages that a test gives, from a mirror of Debian on this machine. */
export class ImageBuilder {
  /** The folder in place of packages/binary/dist. */
  readonly dist = mkdtempSync(join(tmpdir(), 'hubline-image-'));
  readonly packages = join(this.dist, 'packages.json');
  /** The files of the mirror, by path. */
  readonly #mirrored = new Map<string, Buffer>();
  readonly #mirror = createServer((request, response) => {
    const body = this.#mirrored.get(request.url ?? '');
    response.writeHead(body ? 200 : 404).end(body);
  }).listen(0, '127.0.0.1');

  /** Puts a file on the mirror, and returns its entry in a list of packages. */
  put(path: string, bytes: Buffer) {
    this.#mirrored.set(`/${path}`, bytes);
    return { name: path.replace(/[_.].*/, ''), version: '1', path, sha256: sha256(bytes) };
  }

  /** Puts other bytes in the place where the cache keeps a package. */
  spoil({ path, sha256 }: ReturnType<ImageBuilder['put']>, bytes: Buffer): void {
    mkdirSync(cache, { recursive: true });
    writeFileSync(join(cache, `${sha256}-${path}`), bytes);
  }

  constructor() {
    writeFileSync(join(this.dist, 'build-id'), 'the program');
  }

  /** Puts a program where `build:binary` puts it. */
  putProgram(target: string, program: Buffer | string): void {
    mkdirSync(join(this.dist, target), { recursive: true });
    writeFileSync(join(this.dist, target, 'hubline'), program);
  }

  async build(packages: object, ...words: string[]): Promise<string> {
    writeFileSync(this.packages, JSON.stringify(packages));
    if (!this.#mirror.listening) await once(this.#mirror, 'listening');
    const { port } = this.#mirror.address() as AddressInfo;
    const script = join(binary, 'scripts/build-image.ts');
    const args = [script, '--packages', this.packages, '--dist', this.dist, ...words];
    const built = await run(process.execPath, args, {
      env: { ...process.env, HUBLINE_DEBIAN_MIRROR: `http://127.0.0.1:${port}` },
    });
    return built.stdout;
  }

  fileOf({ digest }: Descriptor): string {
    return join(this.dist, 'image/blobs', digest.replace(':', '/'));
  }

  /** The images that were built, by processor, and their name. */
  built(): { name: string | undefined; images: Record<string, Image> } {
    const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;
    const { manifests } = read<{ manifests: (Descriptor & { annotations: Record<string, string> })[] }>(
      join(this.dist, 'image/index.json'),
    );
    const [top] = manifests;
    if (!top) throw new Error('The layout has no image');
    const index = read<{ manifests: (Descriptor & { platform: { architecture: string } })[] }>(
      this.fileOf(top),
    );
    const images = index.manifests.map((each) => {
      const { config, layers } = read<{ config: Descriptor; layers: Descriptor[] }>(this.fileOf(each));
      return [each.platform.architecture, { ...read<Image>(this.fileOf(config)), layers }] as const;
    });
    return { name: top.annotations['org.opencontainers.image.ref.name'], images: Object.fromEntries(images) };
  }

  [Symbol.dispose](): void {
    this.#mirror.close();
    rmSync(this.dist, { recursive: true });
    const ours = [...this.#mirrored.values()].map(sha256);
    for (const name of readdirSync(cache))
      if (ours.some((hash) => name.startsWith(hash))) rmSync(join(cache, name));
  }
}
