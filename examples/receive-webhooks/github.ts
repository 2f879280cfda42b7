import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sign } from '@octokit/webhooks-methods';

interface Definition {
  name: string;
  examples: Record<string, unknown>[];
}

const definitions = createRequire(import.meta.url)('@octokit/webhooks-examples') as Definition[];

/** A stand-in for GitHub: it answers the two API requests that connecting makes, and sends the webhooks that GitHub would send. */
export interface StandIn {
  /** The value for `HUBLINE_GITHUB_API_URL`, in place of the URL of a GitHub Enterprise Server. */
  apiUrl: string;
  /** Sends one real payload of each kind, signed as GitHub signs, and returns the status of each response. */
  send(
    kinds: readonly string[],
    hook: { url: string; secret: string },
  ): Promise<{ kind: string; status: number }[]>;
  close(): void;
}

export async function startGithub(): Promise<StandIn> {
  const api = createServer((request, response) => {
    const body = request.url?.endsWith('/hooks') ? { id: 4711, active: true } : { login: 'octocat', id: 1 };
    response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const { port } = api.address() as AddressInfo;

  return {
    apiUrl: `http://127.0.0.1:${port}`,
    async send(kinds, { url, secret }) {
      const sent = [];
      for (const kind of kinds) {
        const payload = definitions.find((definition) => definition.name === kind)?.examples[0];
        if (!payload) throw new Error(`@octokit/webhooks-examples has no ${kind}.`);
        const body = JSON.stringify(payload);
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-github-event': kind,
            'x-github-delivery': crypto.randomUUID(),
            'x-hub-signature-256': await sign(secret, body),
          },
          body,
        });
        sent.push({ kind, status: response.status });
      }
      return sent;
    },
    close: () => {
      api.close();
      api.closeAllConnections();
    },
  };
}
