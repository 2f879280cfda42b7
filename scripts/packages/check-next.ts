/**
 * Next reads bodies, bundles dependencies and wraps requests in its own way, which differs between its two routers and two runtimes. So
 * the two receivers of the guides are built with the real Next and the packed helper, and called. Needs a built @hubline/webhooks,
 * npm and its registry.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { readMarkdown } from '../docs/markdown.ts';
import { installOnce, pack } from '../packed/install.ts';
import { report } from '../report.ts';
import { root } from '../workspace.ts';

const run = promisify(execFile);
const LIMIT_MS = 120_000;
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

interface Route {
  readonly guide: 'next-app' | 'next-pages';
  /** The file for the guide's code. */
  readonly file: string;
  readonly path: string;
  /** A line to add to the code. */
  readonly also?: string;
}

const ROUTES: readonly Route[] = [
  { guide: 'next-app', file: 'app/hooks/hubline/route.js', path: '/hooks/hubline' },
  {
    guide: 'next-app',
    file: 'app/edge/hubline/route.js',
    path: '/edge/hubline',
    also: `export const runtime = 'edge';\n`,
  },
  { guide: 'next-pages', file: 'pages/api/hubline.js', path: '/api/hubline' },
];

/** A build without what only browsers or a second build need. */
const CONFIG = {
  experimental: {
    turbopackMinify: false,
    turbopackSourceMaps: false,
    turbopackFileSystemCacheForBuild: false,
  },
};

interface Server {
  readonly stdout: Readable;
  readonly exited: Promise<unknown>;
}

const problems: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'hubline-next-'));
try {
  await install();
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    NEXT_TELEMETRY_DISABLED: '1',
    HUBLINE_WEBHOOK_SECRET: SECRET,
  };
  const next = join(folder, 'node_modules/next/dist/bin/next');
  await run(process.execPath, [next, 'build'], { cwd: folder, env, timeout: LIMIT_MS });
  const child = spawn(process.execPath, [next, 'start', '--port', '0'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    const origin = await listening({ stdout: child.stdout, exited });
    for (const { path } of ROUTES) {
      const statuses = await call(`${origin}${path}`);
      console.log(`${path}: ${statuses.join(', ')}`);
      if (statuses.join() !== '200,401') problems.push(`${path} returned ${statuses.join()}, not 200,401`);
    }
  } finally {
    child.kill();
    await exited;
  }
} finally {
  rmSync(folder, { recursive: true });
}
report(problems, 'Receivers in Next');

/** Installs Next from the cache, and the packed helper. The helper has no dependencies, so nothing else is downloaded. */
async function install(): Promise<void> {
  const cached = await installOnce('next');
  cpSync(join(cached, 'package.json'), join(folder, 'package.json'));
  cpSync(join(cached, 'node_modules'), join(folder, 'node_modules'), { recursive: true });
  writeFileSync(join(folder, 'next.config.mjs'), `export default ${JSON.stringify(CONFIG)};\n`);
  const helper = join(folder, 'node_modules/@hubline/webhooks');
  mkdirSync(helper, { recursive: true });
  const tarball = await pack('webhooks', folder);
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', helper]);
  for (const { guide, file, also = '' } of ROUTES) {
    const page = `docs/guides/receiving-webhooks/${guide}.md`;
    const program = readMarkdown(page, readFileSync(join(root, page), 'utf8')).fences.find(
      ({ lang }) => lang === 'ts',
    );
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    // The code is copied unchanged: Next requires the exact form of `export const config`, and the code has no types.
    writeFileSync(join(folder, file), `${program?.code ?? ''}\n${also}`);
  }
}

/** The address that Next prints. The rest of its output is read, too: a closed pipe would end Next. */
function listening({ stdout, exited }: Server): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const origin = /http:\/\/localhost:\d+/.exec(text)?.[0];
    if (origin) resolve(origin);
  });
  void exited.then(() => reject(new Error(`Next ended without listening: ${text}`)));
  return promise;
}

/** The statuses of a signed call and of a forged one. */
async function call(url: string): Promise<number[]> {
  const { signTestWebhook } = await import('../../packages/webhooks/src/index.ts');
  const signed = await signTestWebhook({ secret: SECRET });
  const statuses = [];
  for (const body of [signed.body, `${signed.body} `])
    statuses.push((await fetch(url, { ...signed, body })).status);
  return statuses;
}
