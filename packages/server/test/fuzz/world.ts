import type { IdKind } from '@hubline/contract';

/** The kinds of callers of a request. */
export const CALLERS = [
  'owner',
  'bound',
  'viewer',
  'narrow',
  'stranger',
  'revoked',
  'nobody',
  'garbage',
] as const;
export type Caller = (typeof CALLERS)[number];

/** The beginning of a run: a workspace with one of everything, another of a stranger, and keys for both. */
export interface World {
  url: string;
  keys: Record<Exclude<Caller, 'nobody' | 'garbage'>, string>;
  own: Partial<Record<IdKind, string>>;
  foreign: Partial<Record<IdKind, string>>;
  /** Text that only the events of the own workspace contain. No response to anybody else may contain it. */
  marker: string;
}

/** The token in the ingest URLs of the world. */
export const URL_TOKEN = 'token-of-the-ingest-urls';

const KEPT = 1_000;

/** IDs to send: those of the world, and those from responses. */
export class Ids {
  readonly world: World;
  /** The things that the run has made, the newest last; requests may change and delete them. */
  readonly made = new Map<IdKind, string[]>();
  readonly #cursors = new Map<string, string[]>();
  readonly #tokens = new Map<string, string[]>();

  constructor(world: World) {
    this.world = world;
  }

  keep(kind: IdKind, id: string): void {
    push(this.made, kind, id);
  }

  /** The token of an invitation that has not been accepted yet. */
  keepToken(token: string): void {
    push(this.#tokens, 'invitation', token);
  }

  takeToken(): string | undefined {
    return this.#tokens.get('invitation')?.shift();
  }

  keepCursor(list: string, cursor: string): void {
    push(this.#cursors, list, cursor);
  }

  cursorsOf(list: string): readonly string[] {
    return this.#cursors.get(list) ?? [];
  }

  /** Removes all but the newest from the list, so that they can be deleted. */
  takeOld(kind: IdKind, keep: number): string[] {
    const made = this.made.get(kind) ?? [];
    return made.splice(0, Math.max(0, made.length - keep));
  }
}

function push<Key>(lists: Map<Key, string[]>, key: Key, value: string): void {
  const list = lists.get(key) ?? [];
  list.push(value);
  if (list.length > KEPT) list.shift();
  lists.set(key, list);
}
