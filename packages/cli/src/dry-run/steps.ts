import type { Keychain } from '../config/keychain.ts';

/** Something that a dry run has left undone. */
export interface Step {
  /** In one line, after "would": `register a webhook: POST /webhooks`, `save /home/ana/.config/hubline/config.json`. */
  readonly what: string;
  /** The method of a request; `null` for a change on this machine. */
  readonly method: string | null;
  /** The path below the base URL; a whole URL if the request would go elsewhere. */
  readonly path: string | null;
  readonly idempotency_key: string | null;
  /** The body of a request, or the lines of a file, with secrets masked. */
  readonly body: unknown;
}

/** Thrown by a dry run at a change, after recording it. */
export class NotDone extends Error {
  override readonly name = 'NotDone';
}

/** A step that is not a request; `lines` are those of a file that it would write. */
export function onThisMachine(what: string, lines: readonly string[] | null = null): Step {
  return { what, method: null, path: null, idempotency_key: null, body: lines };
}

/** Continues after a step that was only noted, with `instead` as its result. */
export async function orNoted<Result, Instead>(
  work: Promise<Result>,
  instead: Instead,
): Promise<Result | Instead> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NotDone) return instead;
    throw error;
  }
}

/** The items before a step that is only noted. */
export async function* untilNoted<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    if (!(error instanceof NotDone)) throw error;
  }
}

/** A keychain that can be read, but is not changed. */
export function readOnlyKeychain({ get }: Keychain, steps: Step[]): Keychain {
  return {
    get,
    set: async (account) =>
      void steps.push(onThisMachine(`keep the key in the system keychain as "${account}"`)),
    remove: async (account) => void steps.push(onThisMachine(`remove "${account}" from the system keychain`)),
  };
}
