import { expect, it } from 'vitest';
import { realServer } from '../../test/real-server.ts';
import { startReceiver } from '../../test/receiver.ts';

const { cli, json } = await realServer();

it('sends the missed deliveries of a webhook again, and reports its progress', async () => {
  const { url, calls } = await startReceiver();
  const { id = '' } = await json('webhook', 'create', `--url=${url}`, '--trigger=*', '--generate-secret');
  await json('event', 'publish', '--type=push');
  const [delivery] = await json<{ id: string }[]>('delivery', 'list');
  await json('wait', 'delivery', delivery?.id ?? '');

  const recovery = await json('webhook', 'recover', id, '--since=1h', '--status=delivered');
  const done = await json('wait', 'recovery', recovery['id'] ?? '', '--within=1m');
  expect(done).toMatchObject({ matched: 1, done: 1 });
  expect(await json('recovery', 'get', recovery['id'] ?? '')).toMatchObject({ matched: 1, done: 1 });
  await expect.poll(() => calls.length, { timeout: 60_000 }).toBe(2);
  expect(calls[1]?.body).toBe(calls[0]?.body);
});

it('reports an ID that does not exist', async () => {
  expect(await cli(['recovery', 'get', 'rec_06f8xw2b3c4d5e6f7g8h9j0kmn'])).toMatchObject({
    code: 4,
    out: '',
  });
});
