import type { ChallengeType } from './challenges.ts';

/** A request for a certificate. */
export interface CertificateRequest {
  domain: string;
  /** The challenge to ask for. If the authority does not offer it, another is used. */
  challenge: ChallengeType;
  /** Aborts the request. */
  signal: AbortSignal;
}

/** Issues certificates. */
export interface Authority {
  /** The host name that people know it by. */
  readonly name: string;
  /**
   * Resolves with the key and the chain, in PEM. Throws `AuthorityProblem` if it refuses, and `OutboundError` if it
   * cannot be reached.
   */
  issue(request: CertificateRequest): Promise<string>;
}

/**
 * An error in the authority's own words (RFC 8555, 6.7). Hubline's own types: `slow`, `unsupported`, `unknown`,
 * `directory` for a URL that is not one, and `clock` for a certificate that is not valid now.
 */
export class AuthorityProblem extends Error {
  override readonly name = 'AuthorityProblem';
  /** The kind without its prefix, such as `rateLimited`. */
  readonly type: string;
  /** The delay that the authority asks for, in milliseconds. */
  readonly retryAfterMs: number;
  /** The challenge that failed; `null` if another step did. */
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
