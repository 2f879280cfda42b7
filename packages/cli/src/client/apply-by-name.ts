import { storedName } from '@hubline/contract/constants';
import { createHash } from 'node:crypto';
import { type ApiPromise, isAPIError, type RequestOptions } from '@hubline/sdk';
import type { Context } from '../context.ts';
import { NotDone } from '../dry-run/steps.ts';
import { describeError, type ErrorReport } from '../errors/describe-error.ts';
import { Interrupted, usageError } from '../errors/errors.ts';
import { EXIT_CODES } from '../errors/exit-codes.ts';
import type { SourceDocument } from '../input/read-document.ts';
import { Failure } from '../output/items.ts';
import { refuseSharedKey } from '../input/shared-key.ts';

/** The rules of every `apply`, for its help. */
export const APPLY_RULES =
  'Documents are applied one by one, in the order of the file. One that the server refuses does not stop the others: each has its own result, and the exit code is 10 if some were refused. Running it again changes nothing that is already applied. If one user runs it twice at the same time, everything is created once, except for what was refused in the last day. A field that a document leaves out gets its default, even if it was changed elsewhere. --dry-run checks every document first.';

/** The commands that list what a field of a document names by its ID. */
const LISTS: Readonly<Record<string, string>> = {
  template_id: 'hubline template list',
  integration_id: 'hubline integration list',
  integration_ids: 'hubline integration list',
  webhook_id: 'hubline webhook list',
  user_ids: 'hubline member list',
};

/** The cure for a document with IDs that its workspace does not have: most come from the export of another workspace. */
export function foreignIds({ details }: Pick<ErrorReport, 'details'>): string | undefined {
  const lists = details
    .filter(({ issue }) => issue.startsWith('names no such '))
    .map(({ field }) => LISTS[/(\w+)(?:\[\d+\])?$/.exec(field)?.[1] ?? '']);
  const known = [...new Set(lists)].filter((list) => list !== undefined);
  return known.length === 0
    ? undefined
    : `An ID belongs to one workspace. If the document comes from another, replace its IDs with those of this one: ${known.join(', ')}`;
}

/** The result for one document of a file. */
export interface Applied {
  /** The position in the file, from 1. */
  document: number;
  /** The line where it begins. */
  line: number;
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
  list(): Promise<readonly Item[]>;
  /** Default settings: fields that a document leaves out are set back to them. */
  defaults: object;
  create(document: Record<string, unknown>, options: RequestOptions): ApiPromise<Item>;
  update(id: string, document: Record<string, unknown>): Promise<Item>;
}

/**
 * Applies a file by name: missing items are created, different ones are changed. Running it again changes nothing. A document that is
 * refused does not stop the others.
 */
export async function* applyByName<Item extends Named>(
  ctx: Context,
  documents: readonly SourceDocument[],
  store: Store<Item>,
): AsyncGenerator<Applied> {
  if (documents.length === 0) await ctx.note('There is no document in --file, and nothing to apply.');
  const named = requireNames(documents);
  refuseSharedKey(ctx, named.length, 'Leave it out, or give one document.');
  const existing = await store.list();
  for (const [index, one] of named.entries()) {
    try {
      const { document, line, value, name } = one;
      yield { document, line, ...(await applyOne(ctx, { value, name }, { ...store, existing })) };
    } catch (error) {
      if (error instanceof NotDone) continue;
      if (error instanceof Interrupted || ctx.signal.aborted) throw error;
      const report = await describeError(error);
      yield failed(one, report);
      if (!stopsAll(report)) continue;
      for (const rest of named.slice(index + 1)) yield failed(rest, NOT_TRIED);
      throw error;
    }
  }
}

const NOT_TRIED = { code: 'not_tried', message: 'Not applied, because of the error before it.' };

/** An error that every other document would have, too: no response, a wrong key, or too many requests. */
const stopsAll = ({ status, exit_code: exit }: { status: number | null; exit_code: number }): boolean =>
  status === 401 || exit === EXIT_CODES.unavailable.code || exit === EXIT_CODES.rate_limited.code;

type NamedDocument = ReturnType<typeof requireNames>[number];

/** A failure is printed among the results; see output/printer.ts. */
const failed = ({ document, line, name }: NamedDocument, error: { code: string; message: string }): Applied =>
  new Failure(describeDocument({ document, line, name }), error, {
    document,
    line,
    name,
  }) as unknown as Applied;

const describeDocument = ({
  document,
  line,
  name,
}: {
  document: number;
  line: number;
  name: string;
}): string => `document ${document} (line ${line}), ${name}`;

/** The documents with their names. A file in which one has no name, or two have the same, is refused before anything is sent. */
function requireNames(documents: readonly SourceDocument[]) {
  const numbered = documents.map(({ value, line }, index) => ({ value, line, document: index + 1 }));
  const at = ({ document, line }: { document: number; line: number }): string =>
    documents.length === 1 ? 'this one' : `document ${document} (line ${line})`;
  const named = numbered.map((one) => {
    const { name } = one.value;
    // In the server's spelling: under another, it would be created anew each time.
    return typeof name === 'string' ? { ...one, name: storedName(name) } : null;
  });
  const nameless = numbered.filter((_, index) => named[index] === null);
  if (nameless.length > 0)
    throw usageError(
      `Every document needs a name: ${nameless.map(at).join(', ')} ${nameless.length === 1 ? 'has' : 'have'} none.`,
      'Such as name: Critical alerts',
    );
  const all = named.filter((one) => one !== null);
  for (const one of all) {
    const first = all.find(({ name }) => name === one.name);
    if (first && first !== one)
      throw usageError(
        `${at(first)} and ${at(one)} have the same name: ${one.name}.`.replace(/^d/, 'D'),
        'Documents are matched by name. Give each its own.',
      );
  }
  return all;
}

async function applyOne<Item extends Named>(
  ctx: Context,
  { value: document, name }: Pick<NamedDocument, 'value' | 'name'>,
  store: Store<Item> & { existing: readonly Item[] },
): Promise<Pick<Applied, 'id' | 'name' | 'change'>> {
  const { noun, existing, defaults, update } = store;
  const known = existing.filter((item) => item.name === name);
  const [item] = known;
  if (known.length > 1)
    throw usageError(
      // A result has no hint below it, so the cure is part of the message.
      `the workspace has ${known.length} ${noun}s with this name: ${known.map(({ id }) => id).join(', ')}. Change one by its ID: hubline ${noun} update <id> --file <file>. Or delete all but one: hubline ${noun} delete <id>`,
    );
  const { id, updated_at } = await (item
    ? update(item.id, { ...defaults, ...document })
    : createOnce(ctx, { document, name }, store));
  return { id, name, change: !item ? 'created' : updated_at === item.updated_at ? 'unchanged' : 'updated' };
}

/**
 * Creates an item, unless another run of the same file is doing so: both send the same idempotency key, so the second gets what the first
 * has made.
 */
async function createOnce<Item extends Named>(
  { request, workspace }: Context,
  { document, name }: { document: Record<string, unknown>; name: string },
  { noun, create, list }: Store<Item>,
): Promise<Item> {
  if (request.idempotencyKey !== undefined) return create(document, request);
  const text = JSON.stringify([await workspace(), noun, document]);
  for (let idempotencyKey = digest(text); ;) {
    try {
      const { data, response } = await create(document, { ...request, idempotencyKey }).withResponse();
      const isThere = (item: Item): boolean => item.id === data.id && item.name === name;
      if (!response.replayed || (await list()).some(isThere)) return data;
      // A run within the last day made it. Since then it was deleted or renamed.
      idempotencyKey = digest(`${text} ${data.id}`);
    } catch (error) {
      // The refusal may be that of an earlier run. Only a request that is still running says when to come back.
      const isStored =
        isAPIError(error) && [404, 409, 422].includes(error.status) && error.retryAfter === null;
      if (!isStored) throw error;
      return create(document, request);
    }
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
