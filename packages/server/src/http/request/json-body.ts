import { LIMITS } from '@hubline/contract';
import { Fault, invalid } from '../../domain/faults/fault.ts';
import { unsupported } from '../response/http-fault.ts';
import { releaseBuffer } from '../../limits/release-buffer.ts';
import { FREE_FORM } from '../../domain/json/free-form.ts';
import { faultIn } from '../../domain/json/json-fault.ts';
import { type JsonMeasure, measureJson } from '../../domain/json/json-measure.ts';
import { sketch } from '../../domain/json/sketch.ts';
import type { BodyReader, Upload } from './body-reader.ts';
import { pathText } from './parse-input.ts';

/** A JSON body: the text as received, and its value, in which payloads with very many parts are only summarized. */
export interface JsonBody {
  text: string;
  value: unknown;
}

// A megabyte of JSON takes up to 20 ms to read: only one long body is read per turn of the event loop.
const LONG_BYTES = 64 * 1024;
// Objects, arrays and members of objects: this many take up to 20 ms to parse. Payloads with more are not parsed, only
// summarized.
const PARTS_MAX = 30_000;
// The bytes, and the text made of them.
const TEXTS = 2;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads and parses a JSON body of at most `limit` bytes. An empty one is `{}` without text: the schema reports the
 * missing fields.
 */
export function readJson(bodies: BodyReader, upload: Upload, limit: number): JsonBody | Promise<JsonBody> {
  const reading = bodies.read(upload, limit);
  // A short body that came with its headers is not waited for.
  if (reading instanceof Promise || reading.length > LONG_BYTES) return readLater(bodies, upload, reading);
  return parseBody(bodies, upload, reading);
}

async function readLater(
  bodies: BodyReader,
  upload: Upload,
  reading: Buffer | Promise<Buffer>,
): Promise<JsonBody> {
  const bytes = await reading;
  if (bytes.length > LONG_BYTES) {
    requireJson(upload.incoming.headers['content-type']);
    await bodies.turn();
  }
  return parseBody(bodies, upload, bytes);
}

function parseBody(bodies: BodyReader, upload: Upload, bytes: Buffer): JsonBody {
  if (bytes.length === 0) return { text: '', value: {} };
  requireJson(upload.incoming.headers['content-type']);
  const text = decode(bytes);
  const { length } = bytes;
  releaseBuffer(bytes);
  const { heapBytes, parts, freeForms } = measured(text);
  const isHeavy = parts > PARTS_MAX && freeForms.length > 0;
  if (isHeavy) requireGrammar(text);
  const read = isHeavy ? sketch(text, freeForms) : text;
  bodies.enlarge(upload, length * TEXTS + (isHeavy ? measured(read).heapBytes : heapBytes));
  const value = parse(read);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Fault('invalid_request', 'The body must be a JSON object.');
  }
  return { text, value };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Fault('invalid_request', `The body must be JSON: ${(error as Error).message}.`);
  }
}

function requireGrammar(text: string): void {
  const at = faultIn(text);
  if (at === -1) return;
  const what = at === text.length ? 'Unexpected end of JSON input' : `Unexpected token at position ${at}`;
  throw new Fault('invalid_request', `The body must be JSON: ${what}.`);
}

/**
 * Measures the size of a text once parsed. Refuses one that is too deep to be printed again, has more members than any
 * field takes, or repeats a field: some readers take the first of two, others the last.
 */
function measured(text: string): JsonMeasure {
  const { jsonDepth: depth, jsonMembers: members } = LIMITS;
  const measure = measureJson(text, { depth, members, freeForm: FREE_FORM });
  const { excess } = measure;
  if (!excess) return measure;
  if (excess.of === 'members') {
    throw invalid(pathText(excess.path) || 'body', `must have at most ${members} members`);
  }
  if (excess.of === 'repeats') throw invalid(pathText(excess.path), 'must be given once');
  throw new Fault('invalid_request', `The body must nest at most ${depth} levels deep.`);
}

function requireJson(type: string | undefined): void {
  if (type === 'application/json') return;
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
    throw unsupported('Content-Type', 'must not name a charset other than utf-8');
  }
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Fault('invalid_request', 'The body must be valid UTF-8.');
  }
}
