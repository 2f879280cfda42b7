import type { NeededValue } from './needed-value.ts';
import { valueAt } from './path.ts';

/** The choices of something that waits for events, such as a rule; `null` or absent means all. */
export interface Choice {
  triggers: readonly string[];
  types?: readonly string[] | null | undefined;
  sources?: readonly string[] | null | undefined;
  severities?: readonly string[] | null | undefined;
  /** A value that its conditions need. */
  needs?: NeededValue | null | undefined;
}

/** The part of an event that is used to look it up. */
export interface Happened {
  trigger: string;
  type?: string | undefined;
  source?: string | undefined;
  severity?: string | undefined;
}

/** The things that wait for one trigger, each in one of these maps. */
interface Filed<Item> {
  readonly any: Group<Item>;
  readonly type: Map<string, Group<Item>>;
  readonly source: Map<string, Group<Item>>;
  readonly severity: Map<string, Group<Item>>;
}

/** Reads the values that conditions may name, when one of them is first needed. */
type Values = () => unknown;

/**
 * Finds things by their choices, so that an event need not be compared with ten thousand others. Each is filed under the narrowest of its
 * choices (its types, else its sources, else its severities, else none), and there under the value that its conditions need.
 */
export class ChoiceIndex<Item> {
  readonly #byTrigger = new Map<string, Filed<Item>>();

  constructor(items: readonly Item[], choiceOf: (item: Item) => Choice) {
    for (const item of items) {
      const { triggers, types, sources, severities, needs } = choiceOf(item);
      for (const trigger of new Set(triggers)) {
        const filed = this.#filedUnder(trigger);
        const groups = types
          ? groupsOf(filed.type, types)
          : sources
            ? groupsOf(filed.source, sources)
            : severities
              ? groupsOf(filed.severity, severities)
              : [filed.any];
        for (const group of groups) group.add(item, needs);
      }
    }
  }

  /** The things that may match; their other conditions are not checked. `values`: read for things whose conditions need a value. */
  about({ trigger, type = '', source = '', severity = '' }: Happened, values: Values = () => ({})): Item[] {
    const filed = this.#byTrigger.get(trigger);
    if (!filed) return [];
    const groups = [filed.type.get(type), filed.source.get(source), filed.severity.get(severity), filed.any];
    return groups.flatMap((group) => group?.for(values) ?? []);
  }

  #filedUnder(trigger: string): Filed<Item> {
    let filed = this.#byTrigger.get(trigger);
    if (!filed) {
      filed = { any: new Group(), type: new Map(), source: new Map(), severity: new Map() };
      this.#byTrigger.set(trigger, filed);
    }
    return filed;
  }
}

/** Things that made the same choice, by the value that their conditions need. */
class Group<Item> {
  readonly #others: Item[] = [];
  readonly #byField = new Map<string, { path: NeededValue['path']; items: Map<unknown, Item[]> }>();

  add(item: Item, needs: NeededValue | null = null): void {
    if (!needs) {
      this.#others.push(item);
      return;
    }
    const { field, path, oneOf } = needs;
    const { items } = getOrAdd(this.#byField, field, () => ({ path, items: new Map<unknown, Item[]>() }));
    for (const value of new Set(oneOf)) getOrAdd(items, value, () => []).push(item);
  }

  for(values: Values): Item[] {
    const found = [...this.#others];
    for (const { path, items } of this.#byField.values())
      found.push(...(items.get(valueAt(values(), path)) ?? []));
    return found;
  }
}

const groupsOf = <Item>(groups: Map<string, Group<Item>>, keys: readonly string[]): Group<Item>[] =>
  [...new Set(keys)].map((key) => getOrAdd(groups, key, () => new Group<Item>()));

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** Makes the index of rows, and keeps it for as long as the list of rows is the same object, that is, until one of them changes. */
export function indexedOnce<Rows extends object, Item>(
  read: (rows: Rows) => readonly Item[],
  choiceOf: (item: Item) => Choice,
): (rows: Rows) => ChoiceIndex<Item> {
  const indexes = new WeakMap<Rows, ChoiceIndex<Item>>();
  return (rows) => {
    let index = indexes.get(rows);
    if (!index) {
      index = new ChoiceIndex(read(rows), choiceOf);
      indexes.set(rows, index);
    }
    return index;
  };
}
