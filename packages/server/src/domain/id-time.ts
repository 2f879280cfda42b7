import { ID_ALPHABET } from '@hubline/contract';

// An id has 130 bits in 26 characters, of which 48 are the time, above 80 random ones.
const CHARACTERS = 26;
const RANDOM_BITS = 80n;

/** What the ids of this millisecond are not below: the part of an id behind its prefix. */
export function timePart(ms: number): string {
  let bits = BigInt(ms) << RANDOM_BITS;
  let text = '';
  for (let index = 0; index < CHARACTERS; index++) {
    text = ID_ALPHABET.charAt(Number(bits & 31n)) + text;
    bits >>= 5n;
  }
  return text;
}
