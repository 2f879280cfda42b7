import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from '../../process/worker.ts';

/** One client: a function that reads the same workspace over HTTP. */
type Call = () => Promise<unknown>;

/** The body that every client reads, as large as a typical response of the API. */
const BODY = JSON.stringify({
  id: 'ws_06fk1q7x0r8wt5mzj3y2n9bcde',
  object: 'customer',
  name: 'Acme',
  slug: 'acme',
  plan: 'team',
  description: 'x'.repeat(600),
  created_at: '2026-01-02T03:04:05.000Z',
});

const KEY = 'sk_test_0123456789';

type Make = (origin: string) => Promise<Call>;

const contenders: Readonly<Record<string, Make>> = {
  fetch: async (origin) => {
    const headers = { authorization: `Bearer ${KEY}`, accept: 'application/json' };
    return async () => (await fetch(`${origin}/v1/workspaces/1`, { headers })).json();
  },
  ky: async (origin) => {
    const { default: ky } = await import('ky');
    const client = ky.create({ headers: { authorization: `Bearer ${KEY}` } });
    return () => client.get(`${origin}/v1/workspaces/1`).json();
  },
  hubline: async (origin) => {
    const { Hubline } = await import('@hubline/sdk');
    const client = new Hubline({ apiKey: KEY, baseURL: `${origin}/v1` });
    return () => client.workspaces.get('1');
  },
  'hubline, fetch': async (origin) => {
    const { Hubline } = await import('@hubline/sdk/fetch');
    const client = new Hubline({ apiKey: KEY, baseURL: `${origin}/v1` });
    return () => client.workspaces.get('1');
  },
  'hubline, ky': async (origin) => {
    const { Hubline } = await import('@hubline/sdk/ky');
    const client = new Hubline({ apiKey: KEY, baseURL: `${origin}/v1` });
    return () => client.workspaces.get('1');
  },
  stripe: async (origin) => {
    const { default: Stripe } = await import('stripe');
    const { hostname: host, port } = new URL(origin);
    const httpClient = Stripe.createFetchHttpClient();
    const client = new Stripe(KEY, { host, port, protocol: 'http', httpClient, telemetry: false });
    return () => client.customers.retrieve('1');
  },
  openai: async (origin) => {
    const { default: OpenAI } = await import('openai');
    const client = new OpenAI({ apiKey: KEY, baseURL: `${origin}/v1` });
    return () => client.models.retrieve('1');
  },
  octokit: async (origin) => {
    const { Octokit } = await import('@octokit/core');
    const client = new Octokit({ auth: KEY, baseUrl: origin });
    return () => client.request('GET /v1/workspaces/{id}', { id: '1' });
  },
};

let call: Call | undefined;

const methods = {
  /** Starts a server that responds to everything with the same JSON. Returns its origin. */
  listen: () =>
    new Promise<string>((resolve) => {
      const headers = { 'content-type': 'application/json', 'content-length': BODY.length };
      const server = createServer((_request, response) => void response.writeHead(200, headers).end(BODY));
      server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      );
    }),
  prepare: async ({ name, origin }: { name: string; origin: string }) => {
    call = await contenders[name]?.(origin);
  },
  /** Sends `requests` requests in parallel loops. Returns the microseconds of CPU time per request. */
  run: async ({ requests, slots }: { requests: number; slots: number }): Promise<number> => {
    const before = process.cpuUsage();
    let left = requests;
    const slot = async (): Promise<void> => {
      while (left-- > 0) await call?.();
    };
    await Promise.all(Array.from({ length: slots }, slot));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / requests;
  },
};

export type HttpClientMethods = typeof methods;

answerParent(methods);
