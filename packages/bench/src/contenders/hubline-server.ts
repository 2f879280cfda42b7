import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** How to run it. */
export interface HublineOptions {
  /** The sources even where there is a build. */
  source: boolean;
  /** Folder for CPU profiles; `undefined` for none. */
  profile?: string | undefined;
}

export interface HublineServer extends AsyncDisposable {
  pid: number;
  port: number;
  apiKey: string;
  workspaceId: string;
  database: string;
  /** A JSON request to the API; throws unless it succeeds. */
  post<Result>(path: string, body: object): Promise<Result>;
}

// Enough to see why a server did not start.
const LOG_KEPT = 4_000;

const CLI = fileURLToPath(new URL('../../../cli/', import.meta.url));
const BUILT = join(CLI, 'dist/bin.cjs');
const SOURCE = ['--conditions=hubline-source', join(CLI, 'src/bin.ts')];

/** The command that users run: what `pnpm build` made, or the sources. */
export function hublineCommand({ source }: HublineOptions): readonly string[] {
  return !source && existsSync(BUILT) ? [BUILT] : SOURCE;
}

/** Makes a database with an owner and a workspace, and starts the server on it. */
export async function createHubline(folder: string, options: HublineOptions): Promise<HublineServer> {
  const data = join(folder, 'hubline');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const owner = ['--email', 'bench@example.com', '--name', 'Bench', '--slug', 'bench'];
  const args = [...hublineCommand(options), 'server', 'bootstrap', '--data', data, ...owner, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { api_key: apiKey, workspace_id: workspaceId } = JSON.parse(stdout) as Record<string, string>;
  return startHubline(data, { apiKey: apiKey ?? '', workspaceId: workspaceId ?? '' }, options);
}

type Owner = Pick<HublineServer, 'apiKey' | 'workspaceId'>;

/** Starts the server on a database that exists. */
async function startHubline(data: string, owner: Owner, options: HublineOptions): Promise<HublineServer> {
  const profile = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [];
  const flags = ['--port', '0', '--allow-http-localhost', '--rate-limit', '100000000', '--json'];
  const args = [...profile, ...hublineCommand(options), 'server', 'start', '--data', data, ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-LOG_KEPT);
  });
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(([code]) => {
      throw new Error(`The server ended with ${String(code)}:\n${log}`);
    }),
  ])) as [string];
  const { base_url: baseUrl, url } = JSON.parse(line) as Record<'base_url' | 'url', string>;
  return {
    ...owner,
    pid: child.pid ?? 0,
    port: Number(new URL(url).port),
    database: join(data, 'hubline.db'),
    async post(path, body) {
      const response = await fetch(`${baseUrl}${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${owner.apiKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
      return response.json() as never;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
