import type { Endpoint } from '../endpoint.ts';
import { ERROR_STATUS, type ErrorCode } from '../constants/errors.ts';
import type { SharedError } from '../examples/errors.ts';
import { LIMITS } from '../constants/limits.ts';

/** A status with which an endpoint refuses requests. */
export interface Refusal {
  status: number;
  code: ErrorCode;
  /** The reason that the row itself gives. */
  own: string | undefined;
  /** The reason that other fields of the row imply, with the name of its shared response; `undefined` for none. */
  implied: { name: SharedError; when: string } | undefined;
}

interface Rule {
  status: number;
  code: ErrorCode;
  /** Reports whether a row implies the refusal. */
  applies: (row: Endpoint) => boolean;
  name: SharedError;
  when: string;
}

const always = () => true;
const isPublic = ({ access }: Endpoint) => access.kind === 'public';
const takesBody = ({ body, bodies }: Endpoint) => body !== undefined || bodies !== undefined;
const isWrite = ({ write }: Endpoint) => write;
const size = (bytes: number) => (bytes < 1024 ** 2 ? `${bytes / 1024} KiB` : `${bytes / 1024 ** 2} MiB`);
const perMinute = LIMITS.requestsPerWindow.toLocaleString('en-US');

/** Refusals that the fields of a row imply, in addition to the endpoint's own. */
const RULES: readonly Rule[] = [
  {
    status: 400,
    code: 'invalid_request',
    applies: always,
    name: 'InvalidRequest',
    when: 'A parameter, a header or the body is malformed, missing or unknown. `details` names each field.',
  },
  {
    status: 401,
    code: 'unauthorized',
    applies: (row) => !isPublic(row),
    name: 'Unauthorized',
    when: 'The API key is missing, malformed, expired or revoked.',
  },
  {
    status: 403,
    code: 'forbidden',
    applies: ({ access }) =>
      access.kind !== 'public' && !(access.kind === 'user' && access.scope === null && !access.personal),
    name: 'Forbidden',
    when: 'The key lacks the scope, or the role that it acts with lacks the permission.',
  },
  {
    status: 404,
    code: 'not_found',
    applies: (row) => !isPublic(row) && (row.params !== undefined || row.access.kind === 'workspace'),
    name: 'NotFound',
    when: 'No workspace of the caller has such a resource. A malformed ID gets the same response.',
  },
  {
    status: 408,
    code: 'invalid_request',
    applies: takesBody,
    name: 'BodyTooSlow',
    when: 'The body took too long to arrive.',
  },
  {
    status: 409,
    code: 'conflict',
    applies: isWrite,
    name: 'StillRunning',
    when: 'The first request with this `Idempotency-Key` is still running.',
  },
  {
    status: 413,
    code: 'invalid_request',
    applies: takesBody,
    name: 'BodyTooLarge',
    when: `The body has more than ${size(LIMITS.bodyBytes)}; without an API key, more than ${size(LIMITS.publicBodyBytes)}; for ingest, more than ${size(LIMITS.ingestBodyBytes)}.`,
  },
  {
    status: 415,
    code: 'invalid_request',
    applies: takesBody,
    name: 'UnsupportedBody',
    when: 'The body is compressed, or its charset is not UTF-8.',
  },
  {
    status: 422,
    code: 'unprocessable_entity',
    applies: isWrite,
    name: 'KeyReused',
    when: 'The `Idempotency-Key` was used for another request.',
  },
  {
    status: 429,
    code: 'rate_limited',
    applies: always,
    name: 'RateLimited',
    when: `The workspace has used its ${perMinute} requests of this minute. Retry after \`Retry-After\` seconds.`,
  },
  {
    status: 500,
    code: 'internal_error',
    applies: always,
    name: 'InternalError',
    when: 'The server has a bug. The details are in its log, under the request ID.',
  },
  {
    status: 503,
    code: 'service_unavailable',
    applies: always,
    name: 'Unavailable',
    when: 'Storage, memory or another service that the request needs is unavailable. Retry after `Retry-After` seconds, a write with the same `Idempotency-Key`: it may have happened.',
  },
];

/** Every refusal of a row, by status. */
export function refusalsOf(row: Endpoint): Refusal[] {
  const own = { ...row.errors };
  return RULES.flatMap(({ status, code, applies, name, when }) => {
    const implied = applies(row) ? { name, when } : undefined;
    const reason = ERROR_STATUS[code] === status ? own[code] : undefined;
    return implied || reason !== undefined ? [{ status, code, own: reason, implied }] : [];
  });
}
