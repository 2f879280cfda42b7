import { expect, it, vi } from 'vitest';
import { listen } from '../listen.ts';
import { ENVELOPE, SECRET, signed } from '../samples.ts';
import { pagesWebhook, webhook } from '../../src/adapters/next.ts';

it('makes a route handler of the App Router, which gets the context of the route', async () => {
  const handler = vi.fn();
  const POST = webhook<[{ params: Promise<{ team: string }> }]>(
    { secret: SECRET },
    async (event, _request, { params }) => handler(event, await params),
  );
  const call = { method: 'POST', ...((await signed()) as RequestInit) };
  const response = await POST(new Request('https://app.example.com', call), {
    params: Promise.resolve({ team: 'blue' }),
  });
  expect(response.status).toBe(200);
  expect(handler.mock.calls).toEqual([[ENVELOPE, { team: 'blue' }]]);
});

it('makes an API route of the Pages Router, with its parser switched off', async () => {
  const handler = vi.fn();
  const server = await listen(pagesWebhook({ secret: SECRET }, handler));
  const response = await fetch(server.url, { method: 'POST', ...((await signed()) as RequestInit) });
  expect(response.status).toBe(200);
  expect(handler.mock.calls[0]?.[0]).toEqual(ENVELOPE);
  await server.stop();
});
