import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { request } from 'undici';

/** An accepted event on its way. */
export interface PeerEvent {
  id: string;
  type: string;
  source: string;
  payload: unknown;
}

export const PEER_KEY = 'bench_0123456789abcdefghijklmnopqrstuv';
export const PEER_PATH = '/events';

const SECRET = 'bench-signing-secret';
const DEADLINE_MS = 30_000;
const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** The server of all peers: it checks the bearer token, reads a JSON body and responds once the event is stored. Returns the port. */
export async function listenPeer(store: (event: PeerEvent) => unknown): Promise<number> {
  const expected = sha256(`Bearer ${PEER_KEY}`);
  const app = new Hono();
  app.post(PEER_PATH, async (c) => {
    if (!timingSafeEqual(sha256(c.req.header('Authorization') ?? ''), expected)) {
      return c.json({ error: 'unauthorized' }, 401);
    }
    const { type, source, payload } = await c.req.json<Omit<PeerEvent, 'id'>>();
    const id = randomUUID();
    await store({ id, type, source, payload });
    return c.json({ id }, 202);
  });
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port));
  });
}

/** Sends one signed call and returns its status. */
export type Send = (url: string, event: PeerEvent) => Promise<number>;

export const SENDERS = {
  fetch: async (url, event) => {
    const response = await fetch(url, { ...signed(event), signal: AbortSignal.timeout(DEADLINE_MS) });
    await response.text();
    return response.status;
  },
  undici: async (url, event) => {
    const { statusCode, body } = await request(url, {
      ...signed(event),
      headersTimeout: DEADLINE_MS,
      bodyTimeout: DEADLINE_MS,
    });
    await body.text();
    return statusCode;
  },
} satisfies Record<string, Send>;

export type Sender = keyof typeof SENDERS;

function signed(event: PeerEvent) {
  const body = JSON.stringify(event);
  const signature = createHmac('sha256', SECRET).update(body).digest('hex');
  return {
    method: 'POST' as const,
    headers: { 'Content-Type': 'application/json', 'X-Signature': signature },
    body,
  };
}
