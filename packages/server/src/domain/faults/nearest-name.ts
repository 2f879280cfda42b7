// A longer name is not a typo, and a comparison costs the product of the lengths.
const COMPARED_MAX = 60;

/** The known name that somebody who wrote `name` most likely meant; `undefined` if none is similar. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > COMPARED_MAX) return undefined;
  const wanted = plain(name);
  let nearest: string | undefined;
  let least = Infinity;
  for (const candidate of known) {
    const other = plain(candidate);
    const distance = editDistance(wanted, other);
    // A third of the letters may be wrong: `evnt` is `event`, and `url` is not `id`.
    if (distance <= Math.max(wanted.length, other.length) / 3 && distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest ?? known.find((candidate) => isPart(wanted, plain(candidate)));
}

// `eventTypes` and `event-types` are `event_types` in the spelling of another language.
const plain = (name: string) => name.toLowerCase().replaceAll(/[_\-. ]/g, '');

/** `types` for `event_types`. A few letters are part of many names. */
const isPart = (a: string, b: string) =>
  Math.min(a.length, b.length) >= 4 && (a.includes(b) || b.includes(a));

/** The edit distance of `a` and `b`: letters inserted, left out, replaced, or swapped with their neighbor. */
export function editDistance(a: string, b: string): number {
  const row = (start: number) => Array.from({ length: b.length + 1 }, (_, index) => start + index);
  let before: number[] = [];
  let previous = row(0);
  for (let i = 1; i <= a.length; i++) {
    const current = row(i);
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, at(previous, j - 1) + same);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) least = Math.min(least, at(before, j - 2) + 1);
      current[j] = least;
    }
    before = previous;
    previous = current;
  }
  return at(previous, b.length);
}

const at = (row: readonly number[], index: number) => row[index] ?? 0;
