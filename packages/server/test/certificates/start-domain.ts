import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import type { EndpointOutput } from '@hubline/contract';
import { onTestFinished } from 'vitest';
import { parseServerConfig, type ServerFlags } from '../../src/config/config.ts';
import { type RunningServer, startServer } from '../../src/server.ts';
import { bootstrap } from '../../src/start/bootstrap.ts';
import { TestClock } from '../delivery/test-clock.ts';
import { CHEAP } from '../api/support/workspace.ts';
import { FakeAuthority } from './fake-authority.ts';
import type { Reach } from './validate.ts';

export const DOMAIN = 'hub.example.com';

interface Asked {
  method?: string;
  body?: string;
  headers?: Record<string, string>;
  /** Accepts any certificate: one that was issued in the test's future is not valid yet. */
  blind?: boolean;
}

interface DomainOptions {
  flags?: ServerFlags;
  /** Called before the server starts. */
  prepare?: (authority: FakeAuthority) => void;
}

/** An authority, and a server with a domain that asks it, on a clock that only the test moves. */
export async function startDomain({ flags, prepare }: DomainOptions = {}) {
  const clock = new TestClock();
  const authority = await FakeAuthority.start(clock.clock);
  prepare?.(authority);
  return { authority, ...(await startDomainAt(authority, clock, flags)) };
}

/** The parts of an authority that a server and its clients need. */
interface KnownAuthority {
  directory: string;
  /** The certificate to trust for its own HTTPS, in PEM. */
  ca: string;
  /** The root of the certificates that it issues. */
  root: { pem: string };
  reach: (ports: Reach) => void;
}

/** A server with a domain that asks this authority. */
export async function startDomainAt(authority: KnownAuthority, clock: TestClock, flags: ServerFlags = {}) {
  const data = await mkdtemp(join(tmpdir(), 'hubline-domain-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const config = parseServerConfig(
    {
      domain: DOMAIN,
      acmeDirectory: authority.directory,
      host: '127.0.0.1',
      httpsPort: 0,
      httpPort: 0,
      data,
      logLevel: 'silent',
      senders: 0,
      synchronous: 'NORMAL',
      ...flags,
    },
    {},
  );
  const { api_key: apiKey, workspace_id: workspaceId } = await bootstrap(config, {
    email: 'owner@example.com',
    name: 'Acme',
    slug: 'acme',
  });
  const time = { clock: clock.clock, timer: clock.timer, monotonic: clock.monotonic };
  /** Starts a server on the same data. */
  const start = async () => {
    const server = await startServer(config, { ...CHEAP, ...time, ca: authority.ca });
    onTestFinished(() => server.stop());
    return waysInto(server, { authority, apiKey, workspaceId: workspaceId ?? '', ports: config });
  };
  return { clock, data, apiKey, workspaceId, start, ...(await start()) };
}

interface Known {
  authority: KnownAuthority;
  /** 0 for a free one. */
  ports: { httpsPort: number };
  apiKey: string;
  workspaceId: string;
}

/** The ways to reach a server with a domain, whose name no DNS knows. */
function waysInto(server: RunningServer, { authority, apiKey, workspaceId, ports: { httpsPort } }: Known) {
  const ports = {
    https: httpsPort || Number(new URL(server.url).port),
    http: Number(new URL(server.plainUrl ?? '').port),
  };
  authority.reach(ports);
  const tls = { host: '127.0.0.1', port: ports.https, servername: DOMAIN, ca: authority.root.pem };
  const ask = (path: string, { blind = false, body, ...asked }: Asked = {}) =>
    new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
      const sent = request(
        { ...tls, ...asked, path, agent: false, rejectUnauthorized: !blind },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
          );
        },
      );
      sent.on('error', reject).end(body);
    });
  return {
    server,
    ports,
    ask,
    tls,
    /** Sends a request over plain HTTP, and follows no redirect. */
    plain: (path: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${ports.http}${path}`, { redirect: 'manual', ...init }),
    /** The fingerprint of the certificate that new connections get; `null` where there is none. */
    served: () =>
      new Promise<string | null>((resolve) => {
        const socket = connect({ ...tls, rejectUnauthorized: false }, () => {
          const { fingerprint256 = null } = socket.getPeerX509Certificate() ?? {};
          socket.destroy();
          resolve(fingerprint256);
        });
        socket.on('error', () => resolve(null));
      }),
    async certificate() {
      const headers = { Authorization: `Bearer ${apiKey}` };
      const { text } = await ask(`/v1/workspaces/${workspaceId}/health`, { headers, blind: true });
      return (JSON.parse(text) as EndpointOutput<'workspaces.health'>).server?.certificate;
    },
    async metrics() {
      const { text } = await ask('/metrics', { blind: true });
      const lines = text.matchAll(/^hubline_certificate_(\w+) (\S+)$/gm);
      return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]));
    },
  };
}
