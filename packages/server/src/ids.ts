import { randomFillSync } from 'node:crypto';
import { ID_ALPHABET, ID_PREFIXES, type IdKind } from '@hubline/contract';

/** Makes ids: `<prefix>_` and 26 characters of 128 bits, 48 of them the time, the rest random. */
export type Ids = (kind: IdKind) => string;

// A call to the system's random source costs more than an id: one call fetches the bytes of many.
const POOL_BYTES = 10 * 512;

// Written two characters at a time, in numbers of 40 bits: with BigInt, an id costs three times as much (measured).
const PAIRS = Array.from(
  { length: 32 * 32 },
  (_, pair) => ID_ALPHABET.charAt(pair >> 5) + ID_ALPHABET.charAt(pair & 31),
);
const HALF = 2 ** 40;

/**
 * Makes ids that sort in the order of their creation: within one millisecond the random part counts up. `fill` fills bytes at random;
 * default: the system's source.
 */
export function createIds(clock: () => Date, fill: (bytes: Buffer) => void = randomFillSync): Ids {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  let lastTime = -1;
  let timeText = '';
  // `high` as text: the ids of a millisecond have it in common.
  let highText = '';
  // The random part, in two halves.
  let high = 0;
  let low = 0;

  return (kind) => {
    // A clock that goes back must not break the order of the ids of this process.
    const time = Math.max(clock().getTime(), lastTime);
    if (time === lastTime) {
      low += 1;
      if (low === HALF) {
        low = 0;
        high += 1;
        highText = encode(high);
      }
    } else {
      if (used === POOL_BYTES) {
        fill(pool);
        used = 0;
      }
      // The top bit stays free, so that counting up within a millisecond cannot run into the time.
      high = pool.readUIntBE(used, 5) % (HALF / 2);
      low = pool.readUIntBE(used + 5, 5);
      used += 10;
      lastTime = time;
      timeText = PAIRS[Math.floor(time / HALF)] + encode(time % HALF);
      highText = encode(high);
    }
    return `${ID_PREFIXES[kind]}_${timeText}${highText}${encode(low)}`;
  };
}

/** 40 bits as 8 characters. */
function encode(bits: number): string {
  const upper = Math.floor(bits / 2 ** 20);
  const lower = bits % 2 ** 20;
  return `${PAIRS[upper >> 10]}${PAIRS[upper & 1023]}${PAIRS[lower >> 10]}${PAIRS[lower & 1023]}`;
}
