import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Target } from '../load/generator.worker.ts';
import { progress } from '../report/progress.ts';

/** The way to run the server. */
export interface HublineOptions {
  /** Runs the sources even if there is a build. */
  source: boolean;
  /** The single-file program to run (docs/decisions/binary.md), instead of a build or the sources. */
  binary?: string | undefined;
  /** Folder for CPU profiles; `undefined` for none. */
  profile?: string | undefined;
  /** Requests per minute of a workspace. Default: so many that the limit never applies. */
  rateLimit?: number;
}

/** A data directory, and the API key of its owner. */
export interface HublineData {
  data: string;
  /** The SQLite file. */
  database: string;
  apiKey: string;
  workspaceId: string;
  /** A PostgreSQL database, instead of the file. */
  databaseUrl?: string | undefined;
}

export interface HublineServer extends HublineData, AsyncDisposable {
  pid: number;
  /** The URL of its API. */
  baseUrl: string;
  /** Milliseconds from starting the process to its first line of output, when it accepts requests. */
  startedInMs: number;
  /** Requests to a path of the API, for the load generator. */
  target(path: string, method?: 'GET'): Target;
  /** Publishes events to a workspace, by default the first. */
  events(workspaceId?: string): Target;
  /** Registers a webhook for everything in a workspace, by default the first. */
  webhook(url: string, workspaceId?: string): Promise<unknown>;
  /** A JSON request to the API; throws unless it succeeds. */
  post<Result>(path: string, body: object): Promise<Result>;
  /** Ends it as a crash would. Disposing of it stops it gracefully. */
  kill(): Promise<void>;
}

// Enough to see why a server did not start.
const LOG_KEPT = 4_000;

const CLI = fileURLToPath(new URL('../../../cli/', import.meta.url));
const BUILT = join(CLI, 'dist/bin.cjs');
const SOURCE = ['--conditions=hubline-source', join(CLI, 'src/bin.ts')];

/** The command that users run, from the build if there is one, else from the sources. */
export function hublineCommand({ source }: HublineOptions): readonly string[] {
  return !source && existsSync(BUILT) ? [BUILT] : SOURCE;
}

/** The same command with the program that runs it: Node, or the single-file program, which includes Node. `flags` are for Node. */
export const hublineProgram = (
  options: HublineOptions,
  flags: readonly string[] = [],
): [program: string, ...args: string[]] =>
  options.binary === undefined
    ? [process.execPath, ...flags, ...hublineCommand(options)]
    : [resolve(options.binary)];

/** Makes a database with an owner and a workspace. */
export async function createHublineData(
  folder: string,
  options: HublineOptions,
  databaseUrl?: string,
): Promise<HublineData> {
  const data = join(folder, 'hubline');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const owner = ['--email', 'bench@example.com', '--name', 'Bench', '--slug', 'bench'];
  const [program, ...args] = hublineProgram(options);
  args.push('server', 'bootstrap', '--data', data);
  args.push(...owner, ...databaseFlags({ databaseUrl }), '--json');
  const { stdout } = await promisify(execFile)(program, args);
  const { api_key: apiKey, workspace_id: workspaceId } = JSON.parse(stdout) as Record<string, string>;
  return {
    data,
    database: join(data, 'hubline.db'),
    apiKey: apiKey ?? '',
    workspaceId: workspaceId ?? '',
    databaseUrl,
  };
}

const databaseFlags = ({ databaseUrl }: Pick<HublineData, 'databaseUrl'>) =>
  databaseUrl === undefined ? [] : ['--database-url', databaseUrl];

export async function startHubline(owner: HublineData, options: HublineOptions): Promise<HublineServer> {
  const profile = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [];
  const { rateLimit = 100_000_000 } = options;
  const flags = ['--port', '0', '--allow-http-localhost', '--rate-limit', String(rateLimit), '--json'];
  const [program, ...args] = hublineProgram(options, profile);
  args.push('server', 'start', '--data', owner.data);
  args.push(...flags, ...databaseFlags(owner));
  const started = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  // Before its folder is removed: a server whose benchmark was interrupted would run on, and fill the folder again.
  const killNow = () => void child.kill('SIGKILL');
  process.prependOnceListener('exit', killNow);
  child.once('exit', () => process.off('exit', killNow));
  let isEnding = false;
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
  const startedInMs = performance.now() - started;
  // Without this, a benchmark would only report that something did not arrive.
  child.once('exit', (code) => {
    if (!isEnding) progress(`the server ended by itself with ${String(code)}:\n${log}`);
  });
  const { base_url: baseUrl, url } = JSON.parse(line) as Record<'base_url' | 'url', string>;
  const target: HublineServer['target'] = (path, method) => ({
    ...(method && { method }),
    port: Number(new URL(url).port),
    path: `/v1${path}`,
    headers: { Authorization: `Bearer ${owner.apiKey}` },
  });
  const post: HublineServer['post'] = async (path, body) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${owner.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path} returned ${response.status}: ${await response.text()}`);
    return response.json() as never;
  };
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    isEnding = true;
    child.kill(signal);
    await exited;
  };
  return {
    ...owner,
    pid: child.pid ?? 0,
    baseUrl: baseUrl ?? '',
    startedInMs,
    target,
    events: (workspaceId = owner.workspaceId) => target(`/workspaces/${workspaceId}/events`),
    webhook: (hook, workspaceId = owner.workspaceId) =>
      post('/webhooks', { url: hook, events: ['*'], workspace_id: workspaceId, secret: 'bench' }),
    post,
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  };
}
