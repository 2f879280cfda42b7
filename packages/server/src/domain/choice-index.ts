/** The choices of something that waits for what happens: `null` or nothing for all. */
export interface Choice {
  triggers: readonly string[];
  types?: readonly string[] | null | undefined;
  sources?: readonly string[] | null | undefined;
  severities?: readonly string[] | null | undefined;
}

/** Something that happened, as far as it is looked up. */
export interface Happened {
  trigger: string;
  type?: string | undefined;
  source?: string | undefined;
  severity?: string | undefined;
}

/** The things that wait for one trigger, each in one of these places. */
interface Filed<Item> {
  readonly any: Item[];
  readonly type: Map<string, Item[]>;
  readonly source: Map<string, Item[]>;
  readonly severity: Map<string, Item[]>;
}

/**
 * Things by what they choose, so that an event does not meet ten thousand that are about others. Each is filed under the narrowest of
 * its choices: its types, else its sources, else its severities, else nothing.
 */
export class ChoiceIndex<Item> {
  readonly #byTrigger = new Map<string, Filed<Item>>();

  constructor(items: readonly Item[], choiceOf: (item: Item) => Choice) {
    for (const item of items) {
      const { triggers, types, sources, severities } = choiceOf(item);
      for (const trigger of new Set(triggers)) {
        const filed = this.#filedUnder(trigger);
        if (types) file(filed.type, types, item);
        else if (sources) file(filed.source, sources, item);
        else if (severities) file(filed.severity, severities, item);
        else filed.any.push(item);
      }
    }
  }

  /** The things that may be about it; what else they ask is not looked at. */
  about({ trigger, type = '', source = '', severity = '' }: Happened): Item[] {
    const filed = this.#byTrigger.get(trigger);
    if (!filed) return [];
    return [
      ...(filed.type.get(type) ?? []),
      ...(filed.source.get(source) ?? []),
      ...(filed.severity.get(severity) ?? []),
      ...filed.any,
    ];
  }

  #filedUnder(trigger: string): Filed<Item> {
    let filed = this.#byTrigger.get(trigger);
    if (!filed) {
      filed = { any: [], type: new Map(), source: new Map(), severity: new Map() };
      this.#byTrigger.set(trigger, filed);
    }
    return filed;
  }
}

function file<Item>(places: Map<string, Item[]>, keys: readonly string[], item: Item): void {
  for (const key of new Set(keys)) {
    const under = places.get(key);
    if (under) under.push(item);
    else places.set(key, [item]);
  }
}

/** Makes the index of rows, which are the same object until one of them changes, and keeps it as long. */
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
