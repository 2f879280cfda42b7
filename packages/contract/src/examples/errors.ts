import type { ErrorExample } from './example.ts';

const overlapIssue =
  'must be 0 until 2026-11-02T11:45:09.117Z, when the overlap of the last change ends; wait for that, or choose 0, which ends both older secrets at once';

/** The refusal of an overlap during another. */
export const secondOverlap: ErrorExample = {
  message: `overlap_seconds ${overlapIssue}.`,
  details: [{ field: 'overlap_seconds', issue: overlapIssue }],
};

/** The refusals that are the same everywhere, in the server's words, by the name of their shared response. */
export const sharedErrors = {
  InvalidRequest: {
    message: 'limit must be an integer from 1 to 100.',
    details: [{ field: 'limit', issue: 'must be an integer from 1 to 100' }],
  },
  Unauthorized: { message: 'The API key is unknown or revoked.' },
  Forbidden: { message: 'The API key lacks the scope members:write; it has events:read, events:write.' },
  NotFound: {
    message:
      'No such workspace. Check the ID (ws_ and 26 characters, not the slug), and that your user or API key belongs to it.',
  },
  StillRunning: { message: 'A request with the same Idempotency-Key is still running.' },
  BodyTooSlow: {
    message: 'The body took too long to arrive. Send it without pauses, or in smaller requests.',
  },
  BodyTooLarge: {
    message: 'The body must have at most 1048576 bytes. Shorten it, or send it in several requests.',
  },
  UnsupportedBody: {
    message: 'Content-Encoding must be absent: compressed bodies are not accepted.',
    details: [{ field: 'Content-Encoding', issue: 'must be absent: compressed bodies are not accepted' }],
  },
  KeyReused: {
    message: 'Idempotency-Key was used for another request; use a new key, or repeat that request unchanged.',
    details: [
      {
        field: 'Idempotency-Key',
        issue: 'was used for another request; use a new key, or repeat that request unchanged',
      },
    ],
  },
  RateLimited: { message: 'More than 1000 requests in a minute. Retry in 12 s.' },
  InternalError: { message: 'Internal error. Retry, and report the request ID if it happens again.' },
  Unavailable: { message: 'The service cannot store anything at the moment. Retry in a few seconds.' },
} satisfies Record<string, ErrorExample>;

/** The name of a shared response. */
export type SharedError = keyof typeof sharedErrors;
