import type { Cursors } from '../../context.ts';
import { invalid } from '../../domain/faults/fault.ts';
import type { Vault } from '../../secrets/vault.ts';

const VERSION = 'c1';
const SHAPE = /^c1\.([A-Za-z0-9_-]{1,200})\.([A-Za-z0-9_-]{22})$/;

/**
 * Cursors for one list. The authentication code covers the position, and the endpoint, workspace and filters
 * of the list: a cursor that was changed, or belongs to another list, is refused with 400.
 */
export const createCursors = (vault: Pick<Vault, 'mac'>, list: () => string): Cursors =>
  new ListCursors(vault, list);

/** A class, because every request has one and few use it: three closures would take 200 bytes. */
class ListCursors implements Cursors {
  readonly #vault: Pick<Vault, 'mac'>;
  readonly #list: () => string;

  constructor(vault: Pick<Vault, 'mac'>, list: () => string) {
    this.#vault = vault;
    this.#list = list;
  }

  seal(position: string): string {
    const encoded = Buffer.from(position).toString('base64url');
    return `${VERSION}.${encoded}.${this.#mac(encoded)}`;
  }

  open(cursor: string): string {
    const [, encoded, code] = SHAPE.exec(cursor) ?? [];
    // No comparison in constant time: a guessed cursor gives only a position in a list that the caller sees
    // anyway.
    if (encoded === undefined || code !== this.#mac(encoded)) {
      throw invalid('cursor', 'must be next_cursor of the previous page of this same list, unchanged');
    }
    return Buffer.from(encoded, 'base64url').toString();
  }

  #mac(position: string): string {
    return this.#vault.mac('cursor', `${VERSION}\n${this.#list()}\n${position}`);
  }
}
