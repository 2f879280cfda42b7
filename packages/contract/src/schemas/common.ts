import { z } from 'zod';
import { ID_PREFIXES, type IdKind, idPattern } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { ROLES } from '../roles.ts';

/** An id in a path or a query. A value that does not match answers 404. */
export function id(kind: IdKind): z.ZodString {
  const noun = kind === 'apiKey' ? 'API key' : kind;
  const article = /^[aeiou]/i.test(noun) ? 'an' : 'a';
  return z
    .string()
    .regex(idPattern(kind), 'does not exist')
    .describe(`Id of ${article} ${noun}: \`${ID_PREFIXES[kind]}_\` and 26 characters.`);
}

/** A workspace id in a body: any string, because a malformed id answers 404 like an unknown one. */
export const workspaceRef = z.string().describe('Workspace id, `ws_…`.');

/** A role that exists. */
export const role = z.enum(ROLES).meta({ id: 'Role', description: 'What a member may do.' });

/** JSON of any shape under string keys. */
export const jsonObject = z.record(z.string(), z.unknown());

/** Specification, "Pagination object". */
const Pagination = z
  .object({
    next_cursor: z.string().nullable().describe('Opaque cursor for the next page; `null` on the last page.'),
    has_more: z.boolean().describe('`false` on the final page.'),
  })
  .describe('Where a list goes on.')
  .meta({ id: 'Pagination' });

/** A page of `item`: `{data, pagination}`. It is named after its item, as in `EventPage`. */
export function page<Item extends z.ZodType>(item: Item) {
  const { id: name = '' } = item.meta() ?? {};
  return z
    .object({
      data: z.array(item).describe('The items of this page.'),
      pagination: Pagination.describe('Where the list goes on.'),
    })
    .describe(`A page of a list; each item is of the type \`${name}\`.`)
    .meta({ id: `${name}Page` });
}

/** Query of every list endpoint. Specification, "Pagination (list endpoints)". */
export const pageQuery = {
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, `must be an integer from 1 to ${LIMITS.pageMax}`)
    .refine((value) => Number(value) <= LIMITS.pageMax, `must be an integer from 1 to ${LIMITS.pageMax}`)
    .transform(Number)
    .optional()
    .describe(`Items in a page, from 1 to ${LIMITS.pageMax}. Default ${LIMITS.pageDefault}.`)
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: LIMITS.pageMax,
      default: LIMITS.pageDefault,
      pattern: undefined, // the pattern of the text in the query, not of the number it stands for
    }),
  cursor: z.string().optional().describe('Opaque value taken from `next_cursor` of the previous page.'),
};
