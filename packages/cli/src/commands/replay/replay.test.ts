import { unwrap } from '@hubline/webhooks';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { realServer } from '../../test/real-server.ts';
import { startReceiver } from '../../test/receiver.ts';
import { temporaryDirectory } from '../../test/run-cli.ts';

const SECRET = 'whsec_dGhlIHNlY3JldCBvZiBhIHRlc3Q=';
const { cli, json } = await realServer();

/** A recording that `listen` made of an event of the server, and the file of the secret. */
async function recorded() {
  const directory = await temporaryDirectory();
  const [recording, secret] = [join(directory, 'events.ndjson'), join(directory, 'secret')];
  await writeFile(secret, SECRET);
  const { url, calls } = await startReceiver();
  await json('event', 'publish', '--type=push', '--payload={"n":1.10}');
  const line = ['listen', url, '--since=1h', '--limit=1', `--record=${recording}`, `--secret-file=${secret}`];
  expect(await cli(line)).toMatchObject({ code: 0 });
  return { recording, secret, first: calls[0]?.body };
}

it('sends what was recorded again, byte for byte, with a fresh signature', async () => {
  const { recording, secret, first } = await recorded();
  const { url, calls } = await startReceiver();
  const line = ['replay', recording, `--to=${url}`, `--secret-file=${secret}`];
  expect(await cli(line)).toMatchObject({ code: 0 });
  const [{ body, headers } = { body: '', headers: {} }, ...more] = calls;
  expect({ body, more }).toEqual({ body: first, more: [] });
  expect(body).toContain('1.10');
  expect(await unwrap({ body, headers }, { secret: SECRET })).toMatchObject({ type: 'event.created' });
});

it('says with its exit code that some were not delivered', async () => {
  const { recording, secret } = await recorded();
  const { url } = await startReceiver(() => 500);
  const line = ['replay', recording, `--to=${url}`, `--secret-file=${secret}`];
  expect(await cli(line)).toMatchObject({
    code: 10,
    err: expect.stringContaining('1 of 1 deliveries failed.'),
  });
});

it('says that an empty recording has nothing to send', async () => {
  const recording = join(await temporaryDirectory(), 'events.ndjson');
  await writeFile(recording, '\n');
  const { url, calls } = await startReceiver();
  expect(await cli(['replay', recording, `--to=${url}`])).toEqual({
    code: 0,
    out: '',
    err: `There is no delivery in ${recording}, and nothing to send.\n`,
  });
  const piped = await cli(['replay', '-', `--to=${url}`, '--json']);
  expect(piped).toMatchObject({ code: 0, err: 'There is no delivery on stdin, and nothing to send.\n' });
  expect(calls).toEqual([]);
});
