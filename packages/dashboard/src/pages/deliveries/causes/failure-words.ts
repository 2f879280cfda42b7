import { type AttemptErrorKind, LIMITS } from '@hubline/contract/constants';
import { statusText } from '../../../data/formats/status-text.ts';

/** The meaning of each kind of error, for a person who has to fix it. */
const WORDS: Readonly<Record<AttemptErrorKind, string>> = {
  dns: 'The host name was not found',
  connect: 'No connection could be made',
  tls: 'TLS failed',
  timeout: `No response in ${LIMITS.attemptTimeoutMs / 1_000} s`,
  reset: 'The connection was reset',
  redirect: 'It responded with a redirect, which is not followed',
  blocked: 'The address is private, so it is blocked',
  protocol: 'The response was not HTTP',
};

/** A response that was not a success, in words. */
export function failureWords(status: number | null, error: string | null): string {
  if (status !== null) return statusText(status) || `Responded with ${status}`;
  return error === null ? 'No response' : (WORDS[error as AttemptErrorKind] ?? error);
}
