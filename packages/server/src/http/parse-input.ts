import type { z } from 'zod';
import { Fault, type FaultDetail, invalid, notFound } from '../domain/fault.ts';

// What the contract says of an id that is none: it answers like one that does not exist.
const MALFORMED_ID = 'does not exist';
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Path parameters: one that is not a well-formed id is 404, like an unknown one. */
export function parseParams(
  schema: z.ZodObject | undefined,
  params: Record<string, string>,
): Record<string, string> {
  if (!schema) return {};
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data as Record<string, string>;
  throw notFound(nounOf(parsed.error.issues[0]));
}

/** What an id in a path or a query names. */
function nounOf(issue: z.core.$ZodIssue | undefined): string {
  const name = String(issue?.path[0] ?? 'resource');
  if (name === 'id') return 'workspace';
  return name === 'keyId' ? 'API key' : name.replace(/_?id$/i, '');
}

/** The query. A repeated or unknown parameter is 400: a mistyped filter must not return everything. */
export function parseQuery(
  schema: z.ZodObject | undefined,
  search: URLSearchParams,
): Record<string, unknown> {
  const known = schema?.shape ?? {};
  const query: Record<string, string> = {};
  for (const [name, value] of search) {
    if (!Object.hasOwn(known, name)) {
      const names = Object.keys(known);
      throw invalid(
        name,
        names.length > 0
          ? `is not a parameter here; known are ${names.join(', ')}`
          : 'is not a parameter here',
      );
    }
    if (Object.hasOwn(query, name)) throw invalid(name, 'must be given once');
    // PostgreSQL has no text with NUL in it, not even to compare with.
    if (value.includes('\0')) throw invalid(name, 'must not contain NUL');
    query[name] = value;
  }
  if (!schema) return {};
  const parsed = schema.safeParse(query);
  if (parsed.success) return parsed.data;
  const id = parsed.error.issues.find(({ message }) => message === MALFORMED_ID);
  throw id ? notFound(nounOf(id)) : refused(parsed.error, false);
}

/** The body, by its schema. Unknown fields are ignored. */
export function parseBody(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw refused(parsed.error, true);
  return parsed.data;
}

/** Refuses keys that could reach a prototype when objects are merged. Payloads are exempt: they stay text. */
export function refusePrototypeKeys(value: unknown, path = ''): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (key === 'payload') continue;
    if (FORBIDDEN_KEYS.has(key)) throw invalid(`${path}${key}`, 'is not an allowed name');
    refusePrototypeKeys(child, `${path}${key}.`);
  }
}

function refused(error: z.ZodError, inBody: boolean): Fault {
  const details: FaultDetail[] = error.issues.slice(0, 20).map((issue) => ({
    field: fieldOf(issue.path) || (inBody ? 'body' : 'query'),
    issue: describe(issue),
  }));
  const [first] = details;
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  return new Fault('invalid_request', `${first?.field} ${first?.issue}${more}.`, { details });
}

/** `credentials.token`, `events[3].payload`. */
function fieldOf(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    return issue.message.endsWith('received undefined')
      ? 'is required'
      : `must be ${article(issue.expected)}`;
  }
  if (issue.code === 'invalid_value' && !issue.message.startsWith('must ')) {
    return `must be one of ${issue.values.map(String).join(', ')}`;
  }
  return issue.message.replace(/^./, (letter) => letter.toLowerCase());
}

function article(type: string): string {
  const noun = type === 'record' ? 'object' : type === 'int' ? 'integer' : type;
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
