import type { JsonPiece } from '../../domain/json/encoded.ts';
import { previousOf } from './overlap.ts';
import type {
  Credentials,
  DeclaredHeaders,
  IngestRequest,
  Provider,
  Received,
  Verdict,
} from '../provider.ts';

/** The format of a call: the provider's own, or that of messages for Slack. */
export type CallFormat = 'own' | 'slack';

/** The functions that verify and read calls in one format. */
export interface CallVerifier {
  headers: DeclaredHeaders;
  verify(request: IngestRequest, credentials: Credentials): Verdict;
  receive(request: IngestRequest, credentials: Credentials): Received;
}

/** An authentic call. `outdated`: it was verified by the replaced credentials, in their overlap. */
export interface ProvenCall {
  ok: true;
  received: Received<JsonPiece>;
  outdated: boolean;
}

/** The meaning of a call, if it is authentic. `reason` goes to the log, never to the caller. */
export type CallReading = ProvenCall | { ok: false; reason: string };

/** The functions for calls in a format; `undefined` if the provider does not take it. */
export const verifierOf = (provider: Provider, format: CallFormat): CallVerifier | undefined =>
  format === 'slack' ? provider.slack : provider;

/** Verifies a call, and reads it if it is authentic. */
export function readCall(
  verifier: CallVerifier,
  request: IngestRequest,
  credentials: Credentials,
): CallReading {
  const verdict = verifier.verify(request, credentials);
  if (verdict.ok) return { ok: true, received: verifier.receive(request, credentials), outdated: false };
  const previous = previousOf(credentials, request.now);
  if (!previous || !verifier.verify(request, previous).ok) return verdict;
  return { ok: true, received: verifier.receive(request, previous), outdated: true };
}
