import { randomBytes } from 'node:crypto';
import { randomSecret } from '../signatures/hmac.ts';

/** The form of a secret: plain text, whose own bytes are the key, or an encoding of the key. */
export type KeyForm = 'text' | 'hex' | 'base64' | 'whsec';

const HEX = /^(?:[\da-f]{2})+$/i;
const BASE64 = /^[A-Za-z\d+/]+={0,2}$/;
const WHSEC = /^whsec_([A-Za-z\d+/]+={0,2})$/;

/** The key in a secret of this form; `null` when the secret has another form. */
export function keyBytes(form: KeyForm, secret: string): string | Buffer | null {
  if (form === 'text') return secret;
  // As in Standard Webhooks, a secret without the prefix is used as it is.
  if (form === 'whsec') {
    const base64 = WHSEC.exec(secret)?.[1];
    return base64 === undefined ? secret : Buffer.from(base64, 'base64');
  }
  if (form === 'hex') return HEX.test(secret) ? Buffer.from(secret, 'hex') : null;
  return BASE64.test(secret) ? Buffer.from(secret, 'base64') : null;
}

/** A new secret of this form. */
export function newSecret(form: KeyForm): string {
  if (form === 'text') return randomSecret();
  const bytes = randomBytes(32);
  if (form === 'hex') return bytes.toString('hex');
  return `${form === 'whsec' ? 'whsec_' : ''}${bytes.toString('base64')}`;
}
