/** The program of the thread that reads long calls. One call may take it a second, in which the main thread serves others. */
import { parentPort } from 'node:worker_threads';
import { releaseBuffer } from '../../limits/release-buffer.ts';
import { garbage } from '../../limits/garbage.ts';
import { definedProvider } from '../defined/defined.ts';
import type { Definition } from '../defined/definition.ts';
import { providers } from '../registry.ts';
import { type CallToRead, type FromReader, ownBytes } from './messages.ts';
import { type CallReading, readCall, verifierOf } from './read-call.ts';

const port = parentPort;
if (!port) throw new Error('Long calls are read in a thread of their own.');

port.on('message', (call: CallToRead) => {
  const bytes = call.body.byteLength;
  const answer = answerTo(call);
  port.postMessage(answer, 'payload' in answer && answer.payload ? [answer.payload.buffer] : []);
  garbage.add(bytes);
});

function answerTo(call: CallToRead): FromReader {
  const { id } = call;
  try {
    const reading = read(call);
    releaseBuffer(call.body);
    if (!reading.ok || reading.received.kind !== 'event') return { id, reading, payload: null };
    const payload = ownBytes(Buffer.from(String(reading.received.payload)));
    return { id, reading: { ...reading, received: { ...reading.received, payload: '' } }, payload };
  } catch (error) {
    return { id, error };
  }
}

function read({ provider: key, definition, format, body, credentials, ...request }: CallToRead): CallReading {
  const provider =
    definition === null ? providers.get(key) : definedProvider(JSON.parse(definition) as Definition);
  const verifier = provider && verifierOf(provider, format);
  if (!verifier) throw new Error(`There is no provider "${key}" for calls of the format "${format}".`);
  return readCall(verifier, { ...request, body: Buffer.from(body.buffer) }, credentials);
}
