import { ID_ALPHABET } from '@hubline/contract/constants';
import { randomBytes } from 'node:crypto';

/** A new id in the form of the API: a prefix and 26 characters of lower-case base32. */
export function newId(prefix: 'dlv' | 'evt' | 'aut' | 'run' | 'int' | 'usr' | 'ws'): string {
  // The first character holds two bits only: 26 characters are 130 bits.
  const text = Array.from(randomBytes(26), (byte, index) => ID_ALPHABET[byte & (index === 0 ? 7 : 31)]);
  return `${prefix}_${text.join('')}`;
}
