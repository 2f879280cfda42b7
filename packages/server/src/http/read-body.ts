import type { IncomingMessage } from 'node:http';
import { LIMITS } from '@hubline/contract';
import { Fault, invalid } from '../domain/fault.ts';
import { isWithinDepth } from '../domain/json.ts';

/** A JSON body: the text as it came, and what it means. */
export interface JsonBody {
  text: string;
  value: unknown;
}

/** Reads a body up to `limit` bytes; more is 413, without reading the rest. */
export async function readBytes(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () =>
    new Fault('invalid_request', `The body must have at most ${limit} bytes.`, {
      status: 413,
      headers: { Connection: 'close' },
    });
  const encoding = incoming.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw invalid('Content-Encoding', 'must be absent: compressed bodies are not accepted', 415);
  }
  if (Number(incoming.headers['content-length'] ?? 0) > limit) throw tooLarge();
  return collect(incoming, limit, tooLarge);
}

/** With plain listeners: an async iterator costs more than all the rest of a small request. */
function collect(incoming: IncomingMessage, limit: number, tooLarge: () => Fault): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) return void chunks.push(chunk);
      incoming.removeAllListeners('data');
      incoming.resume();
      reject(tooLarge());
    });
    incoming.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    const cutOff = () => reject(new Fault('invalid_request', 'The body ended before it was complete.'));
    incoming.on('error', cutOff);
    incoming.on('aborted', cutOff);
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads and parses a JSON body. An empty one is `{}` without text: the schema knows what is missing. */
export async function readJson(incoming: IncomingMessage): Promise<JsonBody> {
  const bytes = await readBytes(incoming, LIMITS.bodyBytes);
  if (bytes.length === 0) return { text: '', value: {} };
  requireJson(incoming.headers['content-type']);
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Fault('invalid_request', `The body must be JSON: ${(error as Error).message}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Fault('invalid_request', 'The body must be a JSON object.');
  }
  if (!isWithinDepth(text, LIMITS.jsonDepth)) {
    throw new Fault('invalid_request', `The body must nest at most ${LIMITS.jsonDepth} levels deep.`);
  }
  return { text, value };
}

function requireJson(type: string | undefined): void {
  const [essence = '', ...parameters] = (type ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (essence !== 'application/json') throw invalid('Content-Type', 'must be application/json');
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw invalid('Content-Type', 'must not name a charset other than utf-8', 415);
  }
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Fault('invalid_request', 'The body must be valid UTF-8.');
  }
}
