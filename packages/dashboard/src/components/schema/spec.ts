import type { ErrorDetail } from '@hubline/sdk';

/** An object that is being edited. Empty fields are left out. */
export type Values = Readonly<Record<string, unknown>>;

/** A field of an object of the API, as a person fills it in. */
export interface Spec {
  readonly name: string;
  readonly label: string;
  /**
   * `list` is separated by commas, `pairs` are `Name: value` in lines, `scalar` may be a text, a number or a boolean, `select` and `ticks`
   * choose one or several of `options`. Default `text`.
   */
  readonly kind?:
    | 'text'
    | 'area'
    | 'number'
    | 'list'
    | 'json'
    | 'pairs'
    | 'scalar'
    | 'scalars'
    | 'select'
    | 'ticks'
    | 'check';
  readonly hint?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  /** Value → its label. */
  readonly options?: Readonly<Record<string, string>>;
  /** The smallest and the largest number. */
  readonly range?: readonly [min: number, max: number];
  /** A click on a value of an event writes its path here, or a template with it. */
  readonly insert?: 'path' | 'template';
}

/** The choice of integrations that events come through. */
export const through = (options: Readonly<Record<string, string>>): Spec => ({
  name: 'integration_ids',
  label: 'Integrations',
  kind: 'ticks',
  options,
  hint: 'If none is checked, all apply.',
});

/** The object with one field changed; `undefined` removes the field. */
export function put(values: Values, name: string, value: unknown): Values {
  const { [name]: _, ...others } = values;
  return value === undefined ? others : { ...values, [name]: value };
}

/** A value as a text; nothing for an object. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Compares two values by their JSON. */
export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * The fields that differ from others, as the API takes them: `null` removes. Only these are sent, so that what a colleague has changed in
 * the meantime stays.
 */
export const differing = <T extends object>(values: T, others: { readonly [Name in keyof T]?: unknown }) =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !same(value ?? null, others[name as keyof T] ?? null)),
  ) as Partial<T>;

let told = '';

/** Refuses once to replace a field that somebody else has changed since it was loaded. `now` is what is stored. */
export function refuseOvertaken(changes: object, before: object, now: object): void {
  const theirs = differing(now, before) as Values;
  const name = Object.keys(differing(changes as Values, now as Values)).find((each) => each in theirs) ?? '';
  // Without the other fields: those of a webhook in use change all the time.
  const text = JSON.stringify([before, name, theirs[name]]);
  if (name === '' || text === told) return;
  told = text;
  throw new Error(`Somebody else has changed ${name} meanwhile. Save again to replace it.`);
}

/** Problems that can be found without the server, in the form of its own errors. A dry run finds all others. */
export const issuesOf = (specs: readonly Spec[], values: Values, path = ''): ErrorDetail[] =>
  specs.flatMap((spec) => {
    const issue = issueOf(spec, values[spec.name]);
    return issue === undefined ? [] : [{ field: path + spec.name, issue }];
  });

function issueOf({ kind, required, range }: Spec, value: unknown): string | undefined {
  if (value == null || value === '') return required ? 'is required' : undefined;
  if (typeof value === 'string') {
    if (kind === 'json') return 'is not JSON yet';
    if (kind === 'number') return 'must be a number';
    return undefined;
  }
  const [min, max] = range ?? [-Infinity, Infinity];
  const isOutside = typeof value === 'number' && (value < min || value > max);
  return isOutside ? `must be from ${min} to ${max}` : undefined;
}
