import type { ServerConfig } from '@hubline/server';
import { isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { CommandError } from '../../errors/errors.ts';
import { runProgram } from './run-program.ts';
import type { ServicePlan } from './service-plan.ts';

// Longer than a start takes, even one that migrates a large database.
const PATIENCE_MS = 60_000;
const LOOK_MS = 250;
const ANSWER_MS = 5_000;
const LINES_SHOWN = 5;

type Address = Pick<ServerConfig, 'host' | 'port' | 'httpPort' | 'domain' | 'tlsCert'>;
type Running = Pick<Context, 'env' | 'signal'>;

/** A service that was just started. */
interface Started {
  readonly service: Pick<ServicePlan, 'status' | 'logs' | 'hasEnded'>;
  /** The URL that {@link healthUrl} returns. */
  readonly url: string;
  /** Default: a minute. */
  readonly patienceMs?: number;
}

/**
 * The URL at which a server of this machine reports that it is alive. With a domain, it has the port for plain HTTP, which responds before
 * there is a certificate. `null` if only the server will know its port.
 */
export function healthUrl({ host, port, httpPort, domain, tlsCert }: Address): string | null {
  if ((domain === undefined ? port : httpPort) === 0) return null;
  // Nobody can open 0.0.0.0 or ::.
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : isIPv6(host) ? `[${host}]` : host;
  if (domain !== undefined) return `http://${name}:${httpPort}/livez`;
  return `${tlsCert === undefined ? 'http' : 'https'}://${name}:${port}/livez`;
}

/** Refuses ports that another program has, which would be taken for the server. A service that runs has them itself. Throws `ConfigError`. */
export async function requirePorts(
  ctx: Running,
  { service, config }: { service: Pick<ServicePlan, 'status'>; config: ServerConfig },
): Promise<void> {
  const { code } = await runProgram(service.status, ctx);
  if (code === 0) return;
  const { tryPorts } = await import('@hubline/server');
  await tryPorts(config);
}

/** Waits until the server of a service responds. Throws if it ends, or takes too long, with the last lines of its log. */
export async function awaitServer(
  ctx: Running,
  { service, url, patienceMs = PATIENCE_MS }: Started,
): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const { code, text } = await runProgram(service.status, ctx);
    if (code !== 0 || service.hasEnded?.(text) === true) throw await failure(ctx, service, 'ended');
    if (await responds(url)) return;
    if (performance.now() > until)
      throw await failure(ctx, service, `does not respond at ${url} after ${patienceMs / 1_000} s`);
    await sleep(LOOK_MS, undefined, { signal: ctx.signal });
  }
}

async function failure(ctx: Running, service: Started['service'], state: string): Promise<CommandError> {
  const { text } = await runProgram(service.logs({ follow: false }), ctx);
  const lines = text.trim().split('\n').slice(-LINES_SHOWN).join('\n');
  return new CommandError(
    'unavailable',
    `The service is installed, but its server ${state}. Its log ends with:\n${lines}`,
    'The service keeps restarting it. Fix the cause, and see: hubline service logs',
  );
}

/** Asks without a key. Does not check the certificate: it is for another name, and only this machine is asked. */
function responds(url: string): Promise<boolean> {
  const { get } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(ANSWER_MS);
    get(url, { agent: false, rejectUnauthorized: false, signal }, (response) => {
      response.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}
