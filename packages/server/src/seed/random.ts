/** Pseudorandom numbers, the same for the same seed: a seeded workspace can be reproduced byte for byte. */
export interface Random {
  /** A number from 0 to 1. */
  next(): number;
  /** A whole number, both ends included. */
  integer(min: number, max: number): number;
  /** True with this probability, from 0 to 1. */
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Picks an item, with a probability proportional to its weight. */
  weighted<Item>(items: readonly (readonly [weight: number, item: Item])[]): Item;
  /** That many hexadecimal digits. */
  hex(digits: number): string;
  /** A UUID of version 4. */
  uuid(): string;
  /** Overwrites bytes, four at a time. */
  fill(bytes: Buffer): void;
}

/** Uses mulberry32, which is small, and good enough where guessing does no harm. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const hex = (digits: number) => Array.from({ length: digits }, () => integer(0, 15).toString(16)).join('');
  return {
    next,
    integer,
    chance: (share) => next() < share,
    pick: (items) => at(items, integer(0, items.length - 1)),
    weighted(items) {
      let rest = next() * items.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, item] of items) if ((rest -= weight) < 0) return item;
      return at(items, items.length - 1)[1];
    },
    hex,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    fill(bytes) {
      for (let index = 0; index + 4 <= bytes.length; index += 4)
        bytes.writeUInt32LE(Math.floor(next() * 2 ** 32), index);
    },
  };
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}
