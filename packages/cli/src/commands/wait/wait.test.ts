import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { realServer } from '../../test/real-server.ts';
import { startReceiver } from '../../test/receiver.ts';

const { cli, json } = await realServer();

it('waits until a delivery is delivered, and until an event is there', async () => {
  const { url } = await startReceiver();
  await json('webhook', 'create', `--url=${url}`, '--trigger=*', '--generate-secret');
  const { event_id: event = '' } = await json('event', 'publish', '--type=push');
  const [delivery] = await json<{ id: string }[]>('delivery', 'list', `--event=${event}`);
  expect(await json('wait', 'delivery', delivery?.id ?? '')).toMatchObject({ status: 'delivered' });
  expect(await cli(['wait', 'event', event, '-q'])).toEqual({ code: 0, out: `${event}\n`, err: '' });
  // A delivery that was delivered does not fail anymore: there is nothing to wait for.
  expect(await cli(['wait', 'delivery', delivery?.id ?? '', '--for=status=failed'])).toMatchObject({
    code: 9,
    out: '',
    err: `Error: The delivery is delivered, and that is final.\nSee: hubline delivery get ${delivery?.id}\n`,
  });
});

it('gives up at the end of --within', async () => {
  expect(await cli(['wait', 'event', 'evt_06f8xw2b3c4d5e6f7g8h9j0kmn', '--within=2s'])).toMatchObject({
    code: 9,
    err: expect.stringContaining('Timed out waiting for event_id'),
  });
});

it('gives up at the end of --within even on a server that does not respond', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const line = ['wait', 'delivery', 'dlv_06f8xw2b3c4d5e6f7g8h9j0kmn', '--within=1s'];
  expect(await cli([...line, `--base-url=http://127.0.0.1:${port}/v1`])).toEqual({
    code: 9,
    out: '',
    err: 'Error: Timed out waiting for status=delivered: the server does not respond.\nAllow more time with --within.\n',
  });
});

it('does not wait for a delivery that does not exist', async () => {
  expect(await cli(['wait', 'delivery', 'dlv_06f8xw2b3c4d5e6f7g8h9j0kmn'])).toMatchObject({
    code: 4,
    out: '',
    err: expect.stringMatching(/\nList them: hubline delivery list\n$/),
  });
});
