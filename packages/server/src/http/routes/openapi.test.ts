import { expect, it, vi } from 'vitest';
import type { HandledRequest, HttpContext, HttpDeps } from '../handled-request.ts';

const openApi = vi.fn(async () => '{"openapi":"3.1.0"}');
vi.mock('#assets', () => ({ openApi }));
vi.mock('../charge.ts', () => ({ charge: async () => {} }));
vi.mock('../guarded.ts', () => ({
  guarded: (_deps: HttpDeps, _c: HttpContext, handle: (handled: Partial<HandledRequest>) => unknown) =>
    handle({ headers: {} }),
}));
const { describeApi } = await import('./openapi.ts');

it('the OpenAPI document is made once, also for clients that ask while it is made, and again after a failure', async () => {
  const handler = describeApi({ publicUrl: () => 'https://hub.example.com' } as HttpDeps);
  const ask = () => handler({} as HttpContext) as Promise<unknown>;
  openApi.mockRejectedValueOnce(new Error('EMFILE'));
  await expect(Promise.all([ask(), ask()])).rejects.toThrow('EMFILE');
  const replies = (await Promise.all([ask(), ask(), ask()])) as { body: readonly Buffer[] }[];
  expect(openApi).toHaveBeenCalledTimes(2);
  expect(JSON.parse(String(replies[0]?.body[0]))).toEqual({
    openapi: '3.1.0',
    servers: [{ url: 'https://hub.example.com/v1', description: 'This server.' }],
  });
  // The same bytes for all: responses that nobody reads take no memory of their own.
  expect(new Set(replies.map(({ body }) => body[0])).size).toBe(1);
});
