import { z } from 'zod';
import { ID_PREFIXES, type IdKind, idLength, idPattern } from '../constants/ids.ts';
import { LIMITS } from '../constants/limits.ts';
import { ROLES } from '../constants/roles.ts';
import {
  DISABLED_REASONS,
  NOTIFICATION_TRIGGERS,
  OPERATIONAL_TRIGGERS,
  SEVERITIES,
  TRIGGERS,
} from '../constants/statuses.ts';

const documented = new WeakMap<z.ZodType, z.ZodType>();

/** Pairs the schema by which the server reads a body with a more exact one for the document and the SDK's types. */
export function documentAs<Schema extends z.ZodType>(schema: Schema, exact: z.ZodType): Schema {
  documented.set(schema, exact);
  return schema;
}

/** The schema that the document shows for another one; usually that schema itself. */
export const documentedSchema = (schema: z.ZodType): z.ZodType => documented.get(schema) ?? schema;

// The size of a list or object is checked before its content. zod validates all items of an array first: half a million
// of them, each with its own error, blocked the server for a second and took a gigabyte of memory.

/** Bounds of a list; `rule` is the error of a list that is too short. */
interface ListBounds {
  min?: number;
  rule?: string;
  max: number;
}

/** An array in a request. */
export function list<Item extends z.ZodType>(
  item: Item,
  { min = 0, rule = `must have at least ${min} items`, max }: ListBounds,
) {
  const array = z.array(item).meta({ ...(min > 0 && { minItems: min }), maxItems: max });
  return z.preprocess((value, context) => {
    if (Array.isArray(value)) {
      if (value.length < min) context.addIssue(rule);
      if (value.length > max) context.addIssue(`must have at most ${max} items`);
    }
    return value;
  }, array);
}

/** An object in a request that may have fields that the API does not define, such as credentials. */
export function bounded<Schema extends z.ZodType>(schema: Schema, max: number) {
  return z.preprocess(
    (value, context) => {
      const isObject = typeof value === 'object' && value !== null;
      if (isObject && Object.keys(value).length > max) context.addIssue(`must have at most ${max} fields`);
      return value;
    },
    schema.meta({ maxProperties: max }),
  );
}

const NAME_MAX = 100;
const NAME_RULE = `must have a name of at most ${NAME_MAX} characters`;

/** An object whose field names the API does not define, with values of one type. */
export function dictionary<Value extends z.ZodType>(value: Value, max: number) {
  return bounded(z.record(z.string().max(NAME_MAX, NAME_RULE), value), max);
}

/**
 * Runs a rule about several fields of an object even if one of them has a wrong type, where zod would skip it: one response names
 * every error. The rule must tolerate fields of any type.
 */
export const evenIfWrong = {
  when: ({ value }: { value: unknown }): boolean =>
    typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** Names as they stand in a sentence, such as "`a`, `b` and `c`". */
export const allOf = (names: readonly string[]): string =>
  names
    .map((name) => `\`${name}\``)
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1');

/** A trigger in a request. */
export const trigger = z.enum(TRIGGERS).meta({
  id: 'Trigger',
  description: 'Something that happens in a workspace and can be subscribed to.',
});

/** A trigger that people can be notified of, in a request. */
export const notificationTrigger = z.enum(NOTIFICATION_TRIGGERS).meta({
  id: 'NotificationTrigger',
  description: `A trigger that people can be notified of. ${allOf(OPERATIONAL_TRIGGERS)} report problems of the hub itself.`,
});

/** The urgency of something that happened. */
export const severity = z.enum(SEVERITIES).meta({ id: 'Severity', description: 'Urgency.' });

/** The reason for which a webhook is disabled. */
export const disabledReason = z
  .enum(DISABLED_REASONS)
  .meta({ id: 'DisabledReason', description: 'Cause of the disabled state.' });

/** The error of a malformed ID. The server recognizes it and responds with 404. */
export const MALFORMED_ID = 'does not exist';

/** An ID in a request. A malformed one gets 404, like one that does not exist. */
export function id(kind: IdKind): z.ZodString {
  const noun = kind === 'apiKey' ? 'API key' : kind;
  const article = /^[aeiou]/i.test(noun) ? 'an' : 'a';
  return z
    .string()
    .regex(idPattern(kind), MALFORMED_ID)
    .describe(`ID of ${article} ${noun}: \`${ID_PREFIXES[kind]}_\` and 26 characters.`)
    .meta({ maxLength: idLength(kind) });
}

/** A known role. */
export const role = z
  .enum(ROLES)
  .meta({ id: 'Role', description: 'Role of a member, which grants permissions.' });

/**
 * A role that a request gives to a member or a key. An unknown one is 422, a missing one is 400: Specification, "Status codes" 422 and 400.
 * The schema therefore asks only for a string, and the service checks that it is a role.
 */
export const assignedRole = z
  .string()
  .max(LIMITS.nameMax, `must have at most ${LIMITS.nameMax} characters`)
  .meta({ enum: [...ROLES] });

/** A JSON object of any shape. Nothing checks its content, and only the size of the body limits it. */
export const jsonObject = z
  .unknown()
  .refine((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be an object'),
  })
  .meta({ type: 'object', additionalProperties: {} }) as z.ZodType<JsonObject, JsonObject>;

type JsonObject = Record<string, unknown>;

/** Specification, "Pagination object". */
const Pagination = z
  .object({
    next_cursor: z.string().nullable().describe('Opaque cursor for the next page; `null` on the last page.'),
    has_more: z.boolean().describe('`false` on the last page.'),
  })
  .describe('Position of the next page.')
  .meta({ id: 'Pagination' });

/** A page of `item`: `{data, pagination}`. It is named after its item, as in `EventPage`. */
export function page<Item extends z.ZodType>(item: Item) {
  const { id: name = '' } = item.meta() ?? {};
  return z
    .object({
      data: z.array(item).describe('The items of this page.'),
      pagination: Pagination.describe('Position of the next page.'),
    })
    .describe(`A page of a list; each item is of the type \`${name}\`.`)
    .meta({ id: `${name}Page` });
}

const CURSOR_MAX = 256;
const CURSOR_RULE = 'must be next_cursor of the previous page of this same list, unchanged';

/** A whole number in a body. */
export function integer(
  minimum: number,
  maximum: number,
  rule = `must be an integer from ${minimum} to ${maximum}`,
): z.ZodInt {
  return z.int(rule).min(minimum, rule).max(maximum, rule);
}

/** A whole number in a query. Digits only: `Number` would take `1e2`, `0x10` and an empty value. */
export function integerText(minimum: number, maximum: number) {
  const isInside = (value: string) => Number(value) >= minimum && Number(value) <= maximum;
  return (
    z
      .string()
      .refine(
        (value) => /^(?:0|[1-9]\d{0,8})$/.test(value) && isInside(value),
        `must be an integer from ${minimum} to ${maximum}`,
      )
      .transform(Number)
      .optional()
      // The document describes the number, not the text that stands for it in the query.
      .meta({ type: 'integer', minimum, maximum })
  );
}

/** Query of every list endpoint. Specification, "Pagination (list endpoints)" 1 and 2. */
export const pageQuery = {
  limit: integerText(1, LIMITS.pageMax)
    .describe(`Items in a page, from 1 to ${LIMITS.pageMax}. Default ${LIMITS.pageDefault}.`)
    .meta({ default: LIMITS.pageDefault }),
  cursor: z
    .string()
    .max(CURSOR_MAX, CURSOR_RULE)
    .optional()
    .describe('Opaque value taken from `next_cursor` of the previous page.'),
};
