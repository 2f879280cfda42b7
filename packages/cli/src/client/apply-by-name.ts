import { orNoted } from '../dry-run/steps.ts';
import { InDocument, usageError } from '../errors/errors.ts';

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
  /** The noun of the commands that change a single one: `rule`. */
  noun: string;
  existing: readonly Item[];
  /** Default settings: fields that a document leaves out are set back to them. */
  defaults: object;
  create(document: Record<string, unknown>): Promise<Item>;
  update(id: string, document: Record<string, unknown>): Promise<Item>;
}

/** Applies a file by name: missing items are created, different ones are changed. Running it again changes nothing. */
export async function* applyByName<Item extends Named>(
  documents: readonly Record<string, unknown>[],
  { noun, existing, defaults, create, update }: Store<Item>,
): AsyncGenerator<Applied> {
  for (const document of documents) {
    const { name } = document;
    if (typeof name !== 'string')
      throw usageError('Every document needs a name.', 'Such as name: Critical alerts');
    const known = existing.filter((item) => item.name === name);
    const [item] = known;
    if (known.length > 1)
      throw usageError(
        `There are ${known.length} with the name ${name}: ${known.map(({ id }) => id).join(', ')}.`,
        `Change one by its id: hubline ${noun} update <id> --file <file>. Or delete all but one: hubline ${noun} delete <id>`,
      );
    const made = await named(name, item ? update(item.id, { ...defaults, ...document }) : create(document));
    if (made === null) continue;
    const { id, updated_at } = made;
    yield { id, name, change: !item ? 'created' : updated_at === item.updated_at ? 'unchanged' : 'updated' };
  }
}

/** The result of a request about one document; `null` from a dry run, which continues with the next. A refusal names the document. */
async function named<Item>(name: string, request: Promise<Item>): Promise<Item | null> {
  return orNoted(request, null).catch((error: unknown) => {
    throw new InDocument(name, error);
  });
}
