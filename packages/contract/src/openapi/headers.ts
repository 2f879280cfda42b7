import { ids } from '../examples/ids.ts';
import { HEADERS } from '../constants/headers.ts';
import { idPattern } from '../constants/ids.ts';
import type { Components } from './components.ts';
import type { Json } from './json.ts';

/** The response headers of the API, each with the name of its component and its description. */
const HEADER_OBJECTS = {
  requestId: [
    'RequestId',
    {
      description: 'ID of the request, also in the body of an error. Quote it when you report a problem.',
      required: true,
      schema: { type: 'string', pattern: idPattern('request').source },
      example: ids.request,
    },
  ],
  rateLimitLimit: [
    'RateLimitLimit',
    {
      description: 'Requests that the workspace may make per minute.',
      required: true,
      schema: { type: 'integer', minimum: 1 },
      example: 1000,
    },
  ],
  rateLimitRemaining: [
    'RateLimitRemaining',
    {
      description: 'Requests left in this minute.',
      required: true,
      schema: { type: 'integer', minimum: 0 },
      example: 987,
    },
  ],
  rateLimitReset: [
    'RateLimitReset',
    {
      description: 'Start of the next minute, in Unix seconds.',
      required: true,
      schema: { type: 'integer', format: 'int64', minimum: 0 },
      example: 1793616360,
    },
  ],
  retryAfter: [
    'RetryAfter',
    {
      description: 'Whole seconds to wait before the next attempt.',
      schema: { type: 'integer', minimum: 1 },
      example: 12,
    },
  ],
  idempotencyReplayed: [
    'IdempotencyReplayed',
    {
      description: 'Present when an earlier request with the same `Idempotency-Key` stored the response.',
      schema: { type: 'string', enum: ['true'] },
      example: 'true',
    },
  ],
  wwwAuthenticate: [
    'WwwAuthenticate',
    {
      description: 'The authentication scheme.',
      required: true,
      schema: { type: 'string' },
      example: 'Bearer',
    },
  ],
  deprecation: [
    'Deprecation',
    {
      description: 'Time of the deprecation: `@` and Unix seconds (RFC 9745).',
      required: true,
      schema: { type: 'string', pattern: '^@\\d+$' },
      example: '@1801353600',
    },
  ],
  sunset: [
    'Sunset',
    {
      description: 'Earliest removal of the operation, as an HTTP date (RFC 8594).',
      required: true,
      schema: { type: 'string' },
      example: 'Sat, 31 Jul 2027 00:00:00 GMT',
    },
  ],
  contentDisposition: [
    'ContentDisposition',
    {
      description: 'Name of the file; only with CSV.',
      schema: { type: 'string' },
      example: 'attachment; filename="audit-log-2026-11-02.csv"',
    },
  ],
} as const satisfies Partial<Record<keyof typeof HEADERS, readonly [component: string, header: Json]>>;

/** A response header of the API. */
export type HeaderName = keyof typeof HEADER_OBJECTS;

/** Headers that are on every response, errors included. */
const ALWAYS = ['requestId', 'rateLimitLimit', 'rateLimitRemaining', 'rateLimitReset'] as const;

/** The headers of a response: those of every response, and `further` ones. */
export function responseHeaders(components: Components, further: readonly HeaderName[]): Json {
  return Object.fromEntries(
    [...ALWAYS, ...further].map((name) => {
      const [component, header] = HEADER_OBJECTS[name];
      return [HEADERS[name], components.refer('headers', component, header)];
    }),
  );
}
