import type { Random } from '../../random.ts';

/** One of the items, each with the same probability. */
export function pick<Item>(random: Random, items: readonly [Item, ...Item[]] | readonly Item[]): Item {
  const item = items[random.between(0, items.length - 1)];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}

/** Reports whether an event of this probability happens. */
export const chance = (random: Random, probability: number): boolean => random.next() < probability;

/** One of the values, each with the probability of its weight. */
export function weighted<Value>(
  random: Random,
  choices: readonly (readonly [weight: number, value: Value])[],
): Value {
  const total = choices.reduce((sum, [weight]) => sum + weight, 0);
  let left = random.next() * total;
  for (const [weight, value] of choices) {
    left -= weight;
    if (left < 0) return value;
  }
  throw new Error('There is nothing to choose from.');
}

/** The largest size to generate: rarely `large`, because large inputs cost the most time and find the fewest bugs. */
export const rarely = (random: Random, usual: number, large: number): number =>
  chance(random, 0.02) ? large : usual;

/** One of the items known so far, or `otherwise`. Consumes one random number, however many items there are. */
export function pickKnown<Item>(random: Random, items: readonly Item[], otherwise: Item): Item {
  return items[Math.floor(random.next() * items.length)] ?? otherwise;
}

/** The seed of one request of a run: the same for the same run and position, and unlike those of its neighbors. */
export function seedOf(seed: number, index: number): number {
  let mixed = Math.imul(seed ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
