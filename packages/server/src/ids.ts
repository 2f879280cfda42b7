import { randomFillSync } from 'node:crypto';
import { ID_ALPHABET, ID_PREFIXES, type IdKind } from '@hubline/contract';

/** Makes ids: `<prefix>_` and 26 characters of 128 bits, 48 of them the time, the rest random. */
export type Ids = (kind: IdKind) => string;

// A call to the system's random source costs more than an id does: it is asked for a pool at a time.
const POOL_BYTES = 10 * 512;

/** Ids in the order of their making: within one millisecond the random part counts up. */
export function createIds(clock: () => Date): Ids {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  let lastTime = 0;
  let high = 0n;

  return (kind) => {
    // A clock that goes back must not break the order of what this process has already handed out.
    const time = Math.max(clock().getTime(), lastTime);
    if (time === lastTime) {
      high += 1n;
    } else {
      if (used === POOL_BYTES) {
        randomFillSync(pool);
        used = 0;
      }
      high = (BigInt(pool.readUInt16BE(used)) << 64n) | pool.readBigUInt64BE(used + 2);
      // The top bit stays free, so that counting up within a millisecond cannot run into the time.
      high &= (1n << 79n) - 1n;
      used += 10;
    }
    lastTime = time;
    return `${ID_PREFIXES[kind]}_${encode((BigInt(time) << 80n) | high)}`;
  };
}

function encode(bits: bigint): string {
  let text = '';
  // In three parts of at most 50 bits: arithmetic on BigInt for each character would cost ten times as much.
  let low = Number(bits & 0x3ffffffffffffn);
  let middle = Number((bits >> 50n) & 0x3ffffffffffffn);
  let top = Number(bits >> 100n);
  for (let index = 0; index < 10; index++) {
    text = ID_ALPHABET.charAt(low % 32) + text;
    low = Math.floor(low / 32);
  }
  for (let index = 0; index < 10; index++) {
    text = ID_ALPHABET.charAt(middle % 32) + text;
    middle = Math.floor(middle / 32);
  }
  for (let index = 0; index < 6; index++) {
    text = ID_ALPHABET.charAt(top % 32) + text;
    top = Math.floor(top / 32);
  }
  return text;
}
