import { useLocation } from 'preact-iso/router';
import { isAllowed } from './parameters.ts';

/** The filters of a page: they live in the query string, so that a link shows what its sender saw. */
export interface Filters<Name extends string> {
  readonly values: Readonly<Partial<Record<Name, string>>>;
  /** True if any is set. */
  readonly active: boolean;
  /** Sets filters; `''` and `undefined` remove one. The address is replaced: Back leaves the page rather than undoing a key. */
  set(changes: Readonly<Partial<Record<Name, string | undefined>>>): void;
  /** Sets filters as a separate step, which Back undoes. */
  goTo(changes: Readonly<Partial<Record<Name, string | undefined>>>): void;
  clear(): void;
  /** The address with other filters, for a link. */
  hrefWith(changes: Readonly<Partial<Record<Name, string | undefined>>>): string;
}

/** Reads and writes the named parameters, except values that they do not take; others in the address stay as they are. */
export function useFilters<const Name extends string>(names: readonly Name[]): Filters<Name> {
  const { path, query, route } = useLocation();
  const values: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = query[name];
    if (value && isAllowed(name, value)) values[name] = value;
  }
  const hrefWith: Filters<Name>['hrefWith'] = (changes) => {
    const kept = Object.entries({ ...query, ...changes }).filter(([, value]) => value);
    const search = new URLSearchParams(kept).toString();
    return search ? `${path}?${search}` : path;
  };
  const set: Filters<Name>['set'] = (changes) => route(hrefWith(changes), true);
  return {
    values,
    active: Object.keys(values).length > 0,
    set,
    hrefWith,
    goTo: (changes) => route(hrefWith(changes)),
    clear: () =>
      set(Object.fromEntries(names.map((name) => [name, undefined])) as Partial<Record<Name, undefined>>),
  };
}
