import { RANGES } from './time-range.ts';

/** The values that a parameter takes. */
interface Rule {
  readonly takes: string;
  readonly allows: (value: string) => boolean;
  /** The value that is shown instead of a wrong one. */
  readonly instead: string;
}

const oneOf = (values: readonly string[], instead: string): Rule => ({
  takes: values.join(', '),
  allows: (value) => values.includes(value),
  instead,
});
const periods = Object.keys(RANGES);
const time: Rule = {
  takes: 'a time such as 2026-11-28T09:00Z',
  allows: (value) => !Number.isNaN(Date.parse(value)),
  instead: 'any time',
};

/** Parameters whose values the pages read themselves. A map, because an address may name anything, such as `constructor`. */
const RULES: ReadonlyMap<string, Rule> = new Map([
  ['range', oneOf(periods, 'any time')],
  ['window', oneOf(periods, '24h')],
  ['from', time],
  ['to', time],
  ['view', oneOf(['list', 'cause'], 'list')],
  ['tab', oneOf(['health', 'settings', 'code'], 'health')],
]);

/** Parameters with IDs, words and names, which the server refuses or finds nothing for. */
const OTHERS =
  'q type source integration status event webhook trigger code error action actor target row new retry connect';

/** Reports whether a page may use a parameter. It ignores the others, and says so. */
export const isAllowed = (name: string, value: string): boolean =>
  RULES.get(name)?.allows(value) ?? OTHERS.split(' ').includes(name);

/** The reason why a parameter is not used, and what is shown instead. */
export function whyNot(name: string): string {
  const rule = RULES.get(name);
  return rule ? `it takes ${rule.takes}. Shown instead: ${rule.instead}.` : 'no page has such a parameter.';
}
