import { LIMITS, MALFORMED_ID } from '@hubline/contract';
import { z } from 'zod';
import {
  type Fault,
  type FaultDetail,
  idFormOf,
  invalid,
  invalidFields,
  notFound,
  oneFault,
} from '../../domain/faults/fault.ts';
import { FREE_FORM } from '../../domain/json/free-form.ts';
import { unknownName } from '../../domain/faults/unknown-name.ts';
import { fieldsAt } from './known-fields.ts';
import { soundParts } from './sound-parts.ts';

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
// Names are cut in errors: a client may send one of a megabyte.
const NAME_MAX = 100;
const FIELDS_MAX = 20;

/** Path parameters: one that is not a well-formed ID is 404, like an unknown one. */
export function parseParams(
  schema: z.ZodObject | undefined,
  params: Record<string, string>,
): Record<string, string> {
  if (!schema) return {};
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data as Record<string, string>;
  throw notFound(nounOf(parsed.error.issues[0]?.path ?? []));
}

/** The nouns of IDs whose field names do not contain them. */
const NOUNS: Readonly<Record<string, string>> = {
  id: 'workspace',
  actor: 'user',
  userId: 'member',
  keyId: 'API key',
  ruleId: 'notification rule',
  rule_id: 'notification rule',
  templateId: 'notification template',
  template_id: 'notification template',
  flowId: 'OAuth flow',
};

/** The noun that an ID in a request names. */
export function nounOf(path: readonly PropertyKey[]): string {
  // An item of a list takes the name of the list: `user_ids[0]`.
  const name = path.findLast((step) => typeof step === 'string') ?? 'resource';
  return NOUNS[name] ?? name.replace(/_?ids?$/i, '');
}

/** The query. A repeated or unknown parameter is 400: a mistyped filter must not return everything. */
export function parseQuery(
  schema: z.ZodObject | undefined,
  search: URLSearchParams,
): Record<string, unknown> {
  if (!schema && search.size === 0) return {};
  const known = Object.keys(schema?.shape ?? {});
  const query: Record<string, string> = {};
  for (const [name, value] of search) {
    if (!known.includes(name))
      throw invalid(shortName(name), unknownName(name, { known, noun: 'parameter' }));
    if (Object.hasOwn(query, name)) throw invalid(name, 'must be given once');
    // PostgreSQL refuses text with NUL in it, even in a comparison.
    if (value.includes('\0')) throw invalid(name, 'must not contain NUL');
    query[name] = value;
  }
  if (!schema) return {};
  const parsed = schema.safeParse(query);
  if (!parsed.success) throw refused(schema, parsed.error, { where: 'query', value: query });
  refuseBackwards(parsed.data);
  return parsed.data;
}

/** Refuses a time range that ends before it begins: its two ends were mixed up. */
function refuseBackwards(input: unknown): void {
  if (typeof input !== 'object' || input === null) return;
  const { since, until } = input as { since?: unknown; until?: unknown };
  if (typeof since !== 'string' || typeof until !== 'string' || Date.parse(until) >= Date.parse(since))
    return;
  throw invalid('until', 'must not be before since');
}

/** A body that its schema refuses. `sound`: its parts that can be checked further; `undefined` for none, or if no more errors are listed. */
interface RefusedBody {
  readonly ok: false;
  readonly fault: Fault;
  readonly sound: unknown;
}

/** Reads a body by its schema. An unknown field is 400: a mistyped filter must not subscribe to everything. */
export function readBody(
  schema: z.ZodType,
  value: unknown,
): { readonly ok: true; readonly body: unknown } | RefusedBody {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const wrong = parsed.error.issues.flatMap(unsound);
    const sound = wrong.length < LIMITS.detailsMax ? soundParts(value, wrong) : undefined;
    return { ok: false, fault: refused(schema, parsed.error, { where: 'body', value }), sound };
  }
  refusePrototypeKeys(value);
  refuseBackwards(parsed.data);
  return { ok: true, body: parsed.data };
}

/** The paths that an issue makes unsound. */
function unsound(issue: z.core.$ZodIssue): PropertyKey[][] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...issue.path, key]);
  // Without the field that says what an object is, none of its fields was looked at.
  return [issue.code === 'invalid_union' && 'discriminator' in issue ? issue.path.slice(0, -1) : issue.path];
}

/** Reads a body by its schema; throws the refusal. */
export function parseBody(schema: z.ZodType, value: unknown): unknown {
  const read = readBody(schema, value);
  if (!read.ok) throw read.fault;
  return read.body;
}

/** Adds the faults that checks of the sound parts of a body have found, except those inside or around a field that is refused already. */
export function withFurther(fault: Fault, further: readonly Fault[]): Fault {
  const known = fault.details ?? [];
  const isNew = ({ details = [] }: Fault) =>
    !details.some(({ field }) =>
      known.some((one) => isWithin(field, one.field) || isWithin(one.field, field)),
    );
  return oneFault([fault, ...further.filter(isNew)]);
}

const isWithin = (field: string, outer: string) =>
  field === outer || (field.startsWith(outer) && /^[.[]/.test(field.slice(outer.length)));

/** Refuses every field of the body of an endpoint that takes none. Clients that always send one may send `{}`. */
export function refuseFields(value: unknown): void {
  parseBody(noFields, value);
}

const noFields = z.strictObject({});

/** Refuses keys that could reach a prototype when objects are merged. Free-form content is exempt: it stays text. */
function refusePrototypeKeys(value: unknown, path = ''): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (key === FREE_FORM) continue;
    if (FORBIDDEN_KEYS.has(key)) throw invalid(`${path}${key}`, 'is not an allowed name');
    refusePrototypeKeys(child, `${path}${key}.`);
  }
}

/** The errors of a query or a body. If malformed IDs are the only errors, the response is 404, as for unknown IDs. */
function refused(
  schema: z.ZodType,
  { issues }: z.ZodError,
  { where, value }: { where: 'body' | 'query'; value: unknown },
): Fault {
  if (issues.every(isMalformedId)) {
    const [first, ...others] = issues.map(({ path }) => notFound(nounOf(path), pathText(path)));
    if (first) return oneFault([first, ...others]);
  }
  const unknown = issues.filter((issue) => issue.code === 'unrecognized_keys');
  const others = issues.filter((issue) => issue.code !== 'unrecognized_keys').filter(isFirstOfField);
  const count = others.length + unknown.reduce((sum, { keys }) => sum + keys.length, 0);
  // Unknown fields come first: the field that was meant is often among the other errors, as missing. A body may have a
  // hundred thousand of them, and finding the intended name takes a while, so only the listed ones are looked up.
  const details: FaultDetail[] = [];
  for (const { path, keys } of unknown) {
    const room = LIMITS.detailsMax - details.length;
    if (room === 0) break;
    details.push(...unknownFields(schema, { path, value }, keys.slice(0, room)));
  }
  for (const issue of others.slice(0, LIMITS.detailsMax - details.length))
    details.push({ field: pathText(issue.path) || where, issue: describe(issue, { schema, value }) });
  return invalidFields(details as [FaultDetail, ...FaultDetail[]], count);
}

/** An empty value breaks several rules of its field, but is one mistake. The issues of a field stand together. */
function isFirstOfField(
  { path }: z.core.$ZodIssue,
  index: number,
  issues: readonly z.core.$ZodIssue[],
): boolean {
  const before = issues[index - 1]?.path;
  return before?.length !== path.length || before.some((step, depth) => step !== path[depth]);
}

const isMalformedId = (issue: z.core.$ZodIssue) => issue.message === MALFORMED_ID;

function unknownFields(
  schema: z.ZodType,
  at: { path: readonly PropertyKey[]; value: unknown },
  keys: readonly string[],
): FaultDetail[] {
  const known = fieldsAt(schema, at);
  return keys.map((key) => ({
    field: pathText([...at.path, key]),
    issue: FORBIDDEN_KEYS.has(key) ? 'is not an allowed name' : unknownName(key, { known, noun: 'field' }),
  }));
}

/** `credentials.token`, `events[3].payload`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${shortName(String(step))}`))
    .join('')
    .replace(/^\./, '');
}

/** A name that a client has sent, cut to a length that an error can repeat. */
export const shortName = (name: string): string =>
  (name.length > NAME_MAX ? `${name.slice(0, NAME_MAX)}…` : name).toWellFormed();

function describe(issue: z.core.$ZodIssue, { schema, value }: { schema: z.ZodType; value: unknown }): string {
  if (isMalformedId(issue)) {
    const form = idFormOf(nounOf(issue.path));
    return form === null ? issue.message : `${issue.message}; such an ID is ${form}`;
  }
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message;
  if (issue.code === 'invalid_type') {
    // A message of the schema's own says more than the type: the range of a number, or an example.
    const own = issue.message.startsWith('must ') ? issue.message : null;
    const { path } = issue;
    if (isMissing(value, path)) return own === null ? 'is required' : `is required and ${own}`;
    if (own !== null) return own;
    const fields = issue.expected === 'object' ? fieldsAt(schema, { path, value }) : [];
    return `must be ${article(issue.expected)}${fields.length === 0 ? '' : `; its fields are ${fields.slice(0, FIELDS_MAX).join(', ')}`}`;
  }
  if (issue.code === 'invalid_value' && !issue.message.startsWith('must ')) {
    return `must be one of ${issue.values.map(String).join(', ')}`;
  }
  if (issue.code === 'invalid_union' && 'options' in issue && Array.isArray(issue.options))
    return `must be one of ${issue.options.join(', ')}`;
  return issue.message.replace(/^./, (letter) => letter.toLowerCase());
}

function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  return (
    path.reduce<unknown>(
      (inner, step) => (inner as Record<PropertyKey, unknown> | undefined)?.[step],
      value,
    ) === undefined
  );
}

function article(type: string): string {
  const noun = type === 'record' ? 'object' : type === 'int' ? 'integer' : type;
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
