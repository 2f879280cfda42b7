import { usageError } from '../errors/errors.ts';

/** The result for one document of a file. */
export interface Applied {
  id: string;
  name: string;
  change: 'created' | 'updated' | 'unchanged';
}

interface Named {
  readonly id: string;
  readonly name: string;
  readonly updated_at: string;
}

interface Store<Item extends Named> {
  existing: readonly Item[];
  /** Settings of a new one: what a document leaves out is set back to them. */
  defaults: object;
  create(document: Record<string, unknown>): Promise<Item>;
  update(id: string, document: Record<string, unknown>): Promise<Item>;
}

/** Makes what a file says, by name: what is missing is created, what differs is changed. The second time changes nothing. */
export async function* applyByName<Item extends Named>(
  documents: readonly Record<string, unknown>[],
  { existing, defaults, create, update }: Store<Item>,
): AsyncGenerator<Applied> {
  for (const document of documents) {
    const { name } = document;
    if (typeof name !== 'string')
      throw usageError('Every document needs a name.', 'Such as name: Critical alerts');
    const known = existing.filter((item) => item.name === name);
    const [item] = known;
    if (known.length > 1)
      throw usageError(
        `There are ${known.length} of the name ${name}.`,
        'Rename all but one, or use update with its id.',
      );
    if (!item) {
      yield { id: (await create(document)).id, name, change: 'created' };
      continue;
    }
    const { updated_at } = await update(item.id, { ...defaults, ...document });
    yield { id: item.id, name, change: updated_at === item.updated_at ? 'unchanged' : 'updated' };
  }
}
