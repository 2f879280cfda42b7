import type { Random } from '../../random.ts';
import { chance, pick, rarely, weighted } from './choose.ts';
import { ODD_TEXTS, oddValue } from './odd-values.ts';

type Path = readonly (string | number)[];

/** Makes a few changes to a value at random places, most of which make it invalid. */
export function spoilValue(value: unknown, random: Random): unknown {
  let spoiled = value;
  const changes = weighted(random, [
    [6, 1],
    [2, 2],
    [1, 4],
  ]);
  for (let change = 0; change < changes; change += 1) {
    const path = pick(random, [...pathsOf(spoiled)]);
    spoiled = changeAt(spoiled, path, (old) => spoilOne(old, random));
  }
  return spoiled;
}

/** The mark of a value to remove from an object or array. */
const REMOVED = Symbol('removed');

function spoilOne(old: unknown, random: Random): unknown {
  return weighted<() => unknown>(random, [
    [6, () => oddValue(random)],
    [2, () => REMOVED],
    [2, () => [old]],
    [1, () => ({ value: old })],
    [2, () => (typeof old === 'string' ? spoilText(old, random) : String(old))],
    [
      1,
      () =>
        Array.isArray(old) ? Array.from({ length: rarely(random, 150, 2_000) }, () => old[0] ?? 1) : null,
    ],
    [4, () => withOddField(old, random)],
  ])();
}

function withOddField(old: unknown, random: Random): unknown {
  if (typeof old !== 'object' || old === null || Array.isArray(old)) return oddValue(random);
  const name = weighted<() => string>(random, [
    [3, () => spoilText(pick(random, ['name', 'event_types', ...Object.keys(old)]), random)],
    [1, () => pick(random, ODD_TEXTS)],
    [1, () => 'x'.repeat(random.between(50, rarely(random, 500, 5_000)))],
  ])();
  // Not by assignment: `__proto__` would not become a field.
  return Object.fromEntries([...Object.entries(old), [name, oddValue(random)]]);
}

/** A text with a character changed, removed, doubled or inserted. */
export function spoilText(text: string, random: Random): string {
  const at = random.between(0, text.length);
  const put = pick(random, ['', 'x', '_', '\0', '"', '\\', '\u0301', '😀', '%', ' ']);
  return text.slice(0, at) + put + text.slice(at + random.between(0, 2));
}

/** Bytes with a few of them changed, removed, repeated or inserted. */
export function spoilBytes(bytes: Buffer, random: Random): Buffer {
  let spoiled = bytes;
  const edits = random.between(1, 4);
  for (let edit = 0; edit < edits; edit += 1) {
    const at = random.between(0, spoiled.length);
    const drop = chance(random, 0.1) ? random.between(0, 200) : random.between(0, 8);
    const put = weighted<() => Buffer>(random, [
      [4, () => Buffer.from(Array.from({ length: random.between(0, 6) }, () => random.between(0, 255)))],
      [
        3,
        () =>
          Buffer.from(
            pick(random, ['\r\n', '\n', '\r', '\0', ' ', ':', '"', '{', ']', ',', '\\u', '\r\n\r\n']),
          ),
      ],
      [1, () => spoiled.subarray(0, random.between(0, spoiled.length))],
    ])();
    spoiled = Buffer.concat([spoiled.subarray(0, at), put, spoiled.subarray(at + drop)]);
  }
  return spoiled;
}

/** The paths to a value and everything in it. */
function* pathsOf(value: unknown, path: Path = []): Generator<Path> {
  yield path;
  if (typeof value !== 'object' || value === null || path.length > 6) return;
  for (const [key, child] of Object.entries(value).slice(0, 50)) {
    yield* pathsOf(child, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

function changeAt(value: unknown, [step, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (step === undefined) {
    const changed = change(value);
    return changed === REMOVED ? null : changed;
  }
  if (typeof value !== 'object' || value === null) return value;
  const changed = (child: unknown) => (rest.length === 0 ? change(child) : changeAt(child, rest, change));
  if (Array.isArray(value)) {
    return value.map((child: unknown, index) => (index === step ? changed(child) : child)).filter(isThere);
  }
  const fields = Object.entries(value).map(([name, child]) => [name, name === step ? changed(child) : child]);
  return Object.fromEntries(fields.filter(([, child]) => isThere(child)));
}

const isThere = (value: unknown) => value !== REMOVED;
