import { expect, it, vi } from 'vitest';
import { apiDocument } from './openapi.ts';

it('the OpenAPI document is made once, also for clients that ask while it is made, and again after a failure', async () => {
  const read = vi.fn(async () => '{"openapi":"3.1.0"}');
  const document = apiDocument(read, () => 'https://hub.example.com');
  read.mockRejectedValueOnce(new Error('EMFILE'));
  await expect(Promise.all([document(), document()])).rejects.toThrow('EMFILE');
  const documents = await Promise.all([document(), document(), document()]);
  expect(read).toHaveBeenCalledTimes(2);
  expect(JSON.parse(String(documents[0]))).toEqual({
    openapi: '3.1.0',
    servers: [{ url: 'https://hub.example.com/v1', description: 'This server.' }],
  });
  // The same bytes for all: responses that nobody reads take no memory of their own.
  expect(new Set(documents).size).toBe(1);
});
