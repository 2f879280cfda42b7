/**
 * Makes the container image, without a container engine: an OCI layout in packages/binary/dist/image (docs/decisions/image.md).
 * Libraries come from HUBLINE_DEBIAN_MIRROR (https://deb.debian.org), in the versions of image/debian-packages.json. Tests pass another
 * list with `--packages`, and another folder than packages/binary/dist with `--dist`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import cli from '../../cli/package.json' with { type: 'json' };
import { isOfLastBuild } from './build-id.ts';
import { baseLayer, USER } from './image/base.ts';
import { newestPins, type Pins } from './image/debian.ts';
import { directory, file, packLayer } from './image/layer.ts';
import { type Descriptor, type Image, Layout } from './image/layout.ts';
import { Refusal, runScript } from './script.ts';

const USAGE = `Usage:
  npx -y pnpm@12 build:image                                   from the Linux files that build:binary has built
  npx -y pnpm@12 build:image --target linux-x64,linux-arm64    from these
  npx -y pnpm@12 build:image --update                          takes the newest Debian libraries first`;

const PLATFORMS: Readonly<Record<string, Image['platform']>> = {
  'linux-x64': { os: 'linux', architecture: 'amd64' },
  'linux-arm64': { os: 'linux', architecture: 'arm64', variant: 'v8' },
};
const PROGRAM = '/usr/local/bin/hubline';
const SECOND = 1e9;

const CONFIG = {
  User: `${USER}:${USER}`,
  WorkingDir: '/data',
  Entrypoint: [PROGRAM],
  Cmd: ['server', 'start'],
  // SQLite's native part is written to the home directory for a moment, because the rest of the image may be read-only.
  Env: [
    'PATH=/usr/local/bin',
    'HOME=/data',
    'HUBLINE_DATA=/data',
    'HUBLINE_HOST=0.0.0.0',
    'HUBLINE_NO_UPDATE_NOTICE=1',
  ],
  ExposedPorts: { '8787/tcp': {} },
  Volumes: { '/data': {} },
  // A field that only Docker knows; other engines ignore it.
  Healthcheck: {
    Test: ['CMD', PROGRAM, 'server', 'status', '--quiet'],
    Interval: 30 * SECOND,
    Timeout: 10 * SECOND,
    StartPeriod: 60 * SECOND,
    StartInterval: SECOND,
    Retries: 3,
  },
  Labels: {
    'org.opencontainers.image.title': 'hubline',
    'org.opencontainers.image.version': cli.version,
    'org.opencontainers.image.source': cli.repository.url.replace(/^git\+|\.git$/g, ''),
    'org.opencontainers.image.licenses': cli.license,
  },
};

await runScript({
  usage: USAGE,
  options: {
    target: { type: 'string', default: '' },
    dist: { type: 'string', default: join(import.meta.dirname, '../dist') },
    packages: { type: 'string', default: join(import.meta.dirname, 'image/debian-packages.json') },
    update: { type: 'boolean', default: false },
  },
  run: async ({ target, dist, packages, update }) => {
    let pins = JSON.parse(readFileSync(packages, 'utf8')) as Pins;
    if (update) {
      pins = await newestPins(pins);
      writeFileSync(packages, `${JSON.stringify(pins, null, 2)}\n`);
    }
    const built = Object.keys(PLATFORMS).filter((name) => existsSync(programOf(dist, name)));
    const targets = target === '' ? built : target.split(',');
    if (targets.length === 0)
      throw new Refusal('No file for Linux is built. Run build:binary --target linux-x64 first.');
    const images = targets.map((name) => imageOf(name, { dist, pins, targets }));
    const folder = join(dist, 'image');
    const layout = new Layout(folder);
    const manifests: Descriptor[] = [];
    for (const image of images) manifests.push(await layout.add(await image()));
    const { digest } = layout.finish(manifests, cli.version);
    console.log(`${relative(process.cwd(), folder)}:${cli.version}  ${targets.join(', ')}  ${digest}`);
  },
});

function programOf(dist: string, target: string): string {
  return join(dist, target, 'hubline');
}

interface Making {
  /** The folder of the programs that are built. */
  readonly dist: string;
  readonly pins: Pins;
  readonly targets: readonly string[];
}

/** Checks a target, and returns a function that makes its image. */
function imageOf(target: string, { dist, pins, targets }: Making): () => Promise<Image> {
  const platform = PLATFORMS[target];
  const program = programOf(dist, target);
  if (!platform)
    throw new Refusal(`--target: there is no ${target}; there are ${Object.keys(PLATFORMS).join(' and ')}.`);
  if (!existsSync(program))
    throw new Refusal(`--target: ${target} is not built. Run build:binary --target ${target} first.`);
  return async () => {
    const bytes = readFileSync(program);
    // A file from an earlier build would get the wrong version.
    if (!isOfLastBuild(dist, bytes))
      throw new Refusal(
        `${program} is older than the others. Run build:binary --target ${targets.join(',')} first.`,
      );
    const base = await baseLayer(pins[platform.architecture] ?? []);
    const own = [
      ...['usr', 'usr/local', 'usr/local/bin'].map((name) => directory(name)),
      file(PROGRAM.slice(1), bytes, 0o755),
    ];
    return {
      platform,
      config: CONFIG,
      layers: [
        { tar: await packLayer(base), made: 'libraries of Debian' },
        { tar: await packLayer(own), made: `hubline ${cli.version}` },
      ],
    };
  };
}
