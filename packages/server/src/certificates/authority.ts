import type { ChallengeType } from './challenges.ts';

/** A request for a certificate. */
export interface CertificateRequest {
  domain: string;
  /** The check to ask for. An authority that does not offer it makes another. */
  challenge: ChallengeType;
  /** Ends what is under way. */
  signal: AbortSignal;
}

/** Gives certificates. */
export interface Authority {
  /** The host that people know it by. */
  readonly name: string;
  /** Resolves with the key and the chain, in PEM. Throws `AuthorityProblem` where it refuses, and `OutboundError` where it cannot be reached. */
  issue(request: CertificateRequest): Promise<string>;
}

/**
 * The authority's own words about what went wrong (RFC 8555, 6.7). Types of ours: `slow`, `unsupported`, `unknown`, `directory` for
 * a URL that is not one, and `clock` for a certificate that is not valid now.
 */
export class AuthorityProblem extends Error {
  override readonly name = 'AuthorityProblem';
  /** The kind without its prefix, such as `rateLimited`. */
  readonly type: string;
  /** The wait that it asks for, in milliseconds. */
  readonly retryAfterMs: number;
  /** The check that failed; `null` where another step did. */
  readonly challenge: ChallengeType | null;

  constructor(
    type: string,
    detail: string,
    more: { retryAfterMs?: number; challenge?: ChallengeType | null } = {},
  ) {
    super(detail);
    this.type = type;
    this.retryAfterMs = more.retryAfterMs ?? 0;
    this.challenge = more.challenge ?? null;
  }
}
