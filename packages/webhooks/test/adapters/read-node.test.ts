import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { readNode } from '../../src/adapters/read-node.ts';

it('joins the chunks of a stream, bytes and text', async () => {
  const stream = new PassThrough({ encoding: 'utf8' });
  stream.write('naïve ');
  stream.end('😀');
  expect(Buffer.from((await readNode({ stream }, 100)) as Uint8Array).toString()).toBe('naïve 😀');
});

it.each([
  ['before it is read', (stream: PassThrough) => void stream.destroy()],
  ['while it is read', (stream: PassThrough) => void setImmediate(() => stream.destroy())],
  ['with an error', (stream: PassThrough) => void setImmediate(() => stream.destroy(new Error('reset')))],
])('fails, and does not wait, when a stream is destroyed %s', async (_name, spoil) => {
  const stream = new PassThrough();
  stream.write('half');
  stream.on('error', () => undefined);
  spoil(stream);
  await expect(readNode({ stream }, 100)).rejects.toMatchObject({ reason: 'unreadable_body' });
});

it('reads nothing with a limit that is not a number, instead of everything', async () => {
  const stream = new PassThrough();
  stream.write('half');
  await expect(readNode({ stream }, Number.NaN)).rejects.toMatchObject({ reason: 'payload_too_large' });
});

it('keeps no listener that would hold memory, and ignores a late error', async () => {
  const stream = new PassThrough();
  const reading = readNode({ stream }, 3);
  stream.write('more than three');
  await expect(reading).rejects.toMatchObject({ reason: 'payload_too_large' });
  expect(stream.listenerCount('data')).toBe(0);
  stream.destroy(new Error('reset'));
  await new Promise((resolve) => stream.once('close', resolve));
});
