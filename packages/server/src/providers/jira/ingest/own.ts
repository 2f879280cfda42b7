import { randomBytes } from 'node:crypto';
import { hmacSha256, isSameSecret } from '../../signatures/hmac.ts';

// Texts in Jira have no invisible part, so our own messages are marked by a visible last line. Wiki markup may escape
// the characters around it.
const SIGNATURE = /Sent by Hubline: ([0-9a-f]{16})([0-9a-f]{16})\W*$/;
const READ_MAX = 200;

/** A text with a last line that only holders of the secret can make. */
export function signText(text: string, secret: string | undefined, nonce = randomNonce()): string {
  return secret === undefined ? text : `${text}\n\nSent by Hubline: ${markOf(nonce, secret)}`;
}

/** The marker of a nonce of 16 hexadecimal digits. */
export const markOf = (nonce: string, secret: string): string => nonce + seal(nonce, secret);

const randomNonce = () => randomBytes(8).toString('hex');

/** Reports whether a text that came back ends with such a line. */
export function isOwnText(text: string | null, secret: string | undefined): boolean {
  const [, nonce, given] = SIGNATURE.exec(text?.slice(-READ_MAX) ?? '') ?? [];
  return (
    secret !== undefined &&
    nonce !== undefined &&
    given !== undefined &&
    isSameSecret(seal(nonce, secret), given)
  );
}

const seal = (nonce: string, secret: string) =>
  hmacSha256(secret, ['hubline notification\n', nonce]).toString('hex').slice(0, 16);
