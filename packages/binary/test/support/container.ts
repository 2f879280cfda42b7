import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { HOST } from '../../scripts/targets.ts';
import type { Image, ImageBuilder } from './image-builder.ts';

const run = promisify(execFile);

const PROBE = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0"';

/** Containers need Linux namespaces, and the right to mount. */
export const canContain =
  HOST === 'linux-x64' && spawnSync('unshare', ['--mount', 'sh', '-c', PROBE, tmpdir()]).status === 0;

/** The libraries of this machine that a program needs, under their names in Debian. */
export async function librariesOf(program: string): Promise<Record<string, Buffer>> {
  const { stdout } = await run('ldd', [program]);
  const files = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path);
  return Object.fromEntries(
    files.map((path) => {
      const folder = basename(path).startsWith('ld-') ? 'lib64' : 'lib/x86_64-linux-gnu';
      return [`${folder}/${basename(path)}`, readFileSync(realpathSync(path))];
    }),
  );
}

/** Runs a command as an engine does: in the files of the image, which are read-only, with its volume, as its user. */
const CONTAINER = `
mount --bind "$ROOT" "$ROOT" && mount --bind "$VOLUME" "$ROOT/data" && mount --rbind /proc "$ROOT/proc" &&
mount -o remount,ro,bind "$ROOT" && cd / && exec env -i $SETTINGS "$(command -v chroot)" --userspec="$USER" "$ROOT" "$@"`;

/** An image on disk, in which commands run. */
export class Container {
  readonly #root: string;
  readonly #config: Image['config'];

  private constructor(root: string, config: Image['config']) {
    this.#root = root;
    this.#config = config;
  }

  static async of(builder: ImageBuilder, { config, layers }: Image): Promise<Container> {
    const root = join(builder.dist, 'root');
    mkdirSync(root);
    for (const layer of layers) await run('tar', ['-xpzf', builder.fileOf(layer), '-C', root]);
    return new Container(root, config);
  }

  /** The directory that an engine would mount. */
  get volume(): string {
    return join(this.#root, 'data');
  }

  /** Replaces the image's program. Compressing the real one would take longer than the rest of the test. */
  exchangeProgram(file: string): void {
    copyFileSync(file, join(this.#root, this.#config.Entrypoint[0]));
  }

  start(command: readonly string[], env: readonly string[]): ChildProcess {
    return spawn('unshare', ['--mount', 'sh', '-c', CONTAINER, 'sh', ...command], {
      env: {
        PATH: process.env['PATH'] ?? '',
        ROOT: this.#root,
        VOLUME: this.volume,
        SETTINGS: [...this.#config.Env, ...env].join(' '),
        USER: this.#config.User,
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  }

  /** Starts the image's own command, with more words, on a free port. */
  async serve(...words: readonly string[]) {
    const { Entrypoint, Cmd } = this.#config;
    const server = this.start([...Entrypoint, ...Cmd, '--json', ...words], ['HUBLINE_PORT=0']);
    const lines = createInterface(server.stdout as NodeJS.ReadableStream);
    const { value: line = '{}' } = await lines[Symbol.asyncIterator]().next();
    return { server, ...(JSON.parse(line) as { url: string; base_url: string }) };
  }

  /** Runs the image's health check of a server, and returns the exit code. */
  async health(baseUrl: string): Promise<number> {
    const [, ...check] = this.#config.Healthcheck.Test;
    const [code] = (await once(this.start(check, [`HUBLINE_BASE_URL=${baseUrl}`]), 'exit')) as [number];
    return code;
  }
}
