/** A step into a value: a name, a position, or every item of a list. */
export type Step = string | number | typeof EVERY;

/** The step `[*]`. */
export const EVERY = Symbol('every item');

const NAME = /[^.[\]"]+/y;
const INDEX = /\[(?:(0|[1-9]\d{0,8})|(\*)|("(?:[^"\\]|\\.)*"))\]/y;
// A payload may contain a list of a million items.
const ITEMS_MAX = 1_000;

/** Reads `event.payload.labels[*].name`; `undefined` for a text that is not a path. A name with a dot is written `["a.b"]`. */
export function parsePath(text: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  let at = 0;
  while (at < text.length) {
    const isName = steps.length === 0 || text[at] === '.';
    if (isName && steps.length > 0) at += 1;
    const pattern = isName ? NAME : INDEX;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) return undefined;
    at = pattern.lastIndex;
    const step = isName ? match[0] : stepOf(match);
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return steps.length > 0 ? steps : undefined;
}

function stepOf([, index, every, name]: RegExpExecArray): Step | undefined {
  if (index !== undefined) return Number(index);
  if (every !== undefined) return EVERY;
  try {
    return JSON.parse(name ?? '') as string;
  } catch {
    return undefined;
  }
}

/** The value at a path without `[*]`; `undefined` where there is none. Looks at own properties only. */
export function valueAt(root: unknown, steps: readonly Step[]): unknown {
  let value = root;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step as string];
  }
  return value;
}

/** Everything at a path with `[*]`: of a list, the first 1,000 items. */
export function valuesAt(root: unknown, steps: readonly Step[]): unknown[] {
  let found: unknown[] = [root];
  for (const step of steps) {
    const next: unknown[] = [];
    for (const value of found) {
      if (typeof value !== 'object' || value === null) continue;
      if (step !== EVERY) {
        if (Object.hasOwn(value, step)) next.push((value as Record<string | number, unknown>)[step]);
      } else if (Array.isArray(value)) {
        next.push(...(value as unknown[]).slice(0, ITEMS_MAX - next.length));
      }
    }
    found = next;
  }
  return found;
}
