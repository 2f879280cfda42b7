import type { Method, RequestInput } from '@hubline/sdk';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors/errors.ts';
import { assertOneStdin, parseJSON, readJson, readText } from '../../input/read-input.ts';

/** The typed words after `hubline api`. */
interface Typed {
  readonly request: string;
  readonly path: string | undefined;
  readonly method: string | undefined;
  readonly rawField: readonly string[];
  readonly field: readonly string[];
  readonly header: readonly string[];
  readonly input: string | undefined;
}

export const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'DELETE'];

/** The request that was typed. */
export async function apiRequest(ctx: Context, typed: Typed): Promise<RequestInput> {
  const fields = await parseFields(ctx, { raw: typed.rawField, typed: typed.field });
  if (typed.path !== undefined && typed.method !== undefined)
    throw usageError(
      `The method is given twice: ${typed.request} and ${typed.method}.`,
      'Leave out --method.',
    );
  const [given, path] =
    typed.path === undefined ? [typed.method, typed.request] : [typed.request, typed.path];
  const method = parseMethod(given ?? (typed.input === undefined ? 'GET' : 'POST'));
  const writes = method === 'POST' || method === 'PATCH';
  if (typed.input !== undefined && (!writes || Object.keys(fields).length > 0)) {
    throw usageError('--input is the whole body of a POST or PATCH.', 'Leave out the fields, or the file.');
  }
  // As in curl and gh: fields take `@file`, and --input takes the bare name of a file.
  const body =
    typed.input === undefined
      ? fields
      : await readJson(ctx, typed.input === '-' ? '-' : `@${typed.input}`, '--input');
  return {
    method,
    path: checkedPath(await fillIn(ctx, path)),
    ...(writes ? { body } : { query: queryOf(fields) }),
    headers: Object.fromEntries(typed.header.map(parseHeader)),
  };
}

function parseMethod(text: string): Method {
  const method = METHODS.find((known) => known === text.toUpperCase());
  if (!method) throw usageError(`There is no method "${text}".`, `Use one of ${METHODS.join(', ')}.`);
  return method;
}

async function fillIn(ctx: Context, typed: string): Promise<string> {
  const path = typed.includes('://') ? await belowBase(ctx, typed) : typed;
  const rooted = path.startsWith('/') ? path : `/${path}`;
  return rooted.includes('{workspace}') ? rooted.replaceAll('{workspace}', await ctx.workspace()) : rooted;
}

/** A path that stays below the base URL. Text that a URL parser would rewrite is refused, and quoted as it was typed. */
function checkedPath(path: string): string {
  if (path.startsWith('//')) {
    throw usageError(
      `The path "${path}" starts with two slashes, so a URL would treat the first part as a host.`,
      'Give the path below the address of the API, such as /me. For another server: --context <name>',
    );
  }
  if (/^\/?[a-z]:[/\\]/i.test(path)) {
    throw usageError(
      `The path "${path}" is a Windows path. Git Bash makes one from any path that begins with a slash.`,
      'Leave out the first slash, such as: hubline api me',
    );
  }
  const [strange] = /[^!-~]|[#\\]/u.exec(path) ?? [];
  if (strange !== undefined) {
    throw usageError(
      `The path "${path}" contains ${JSON.stringify(strange)}, which must be encoded in a URL.`,
      `Write ${encodeURIComponent(strange)} instead.`,
    );
  }
  const [, step] = /\/((?:\.|%2e){1,2})(?:[/?]|$)/i.exec(path) ?? [];
  if (step !== undefined) {
    throw usageError(
      `The path "${path}" has the part "${step}", which a URL does not keep.`,
      'Give the full path without "." and "..", such as /me.',
    );
  }
  return path;
}

/** The path of a whole URL, which has to be on the server in use: a key goes nowhere else. */
async function belowBase(ctx: Context, url: string): Promise<string> {
  const { baseUrl } = await ctx.settings();
  const path = url.startsWith(baseUrl.value) ? url.slice(baseUrl.value.length) : '';
  if (path.startsWith('/')) return path;
  throw usageError(
    `${url} is not below ${baseUrl.value}: a key is sent only to its own server.`,
    'Give the path alone, such as /me. For another server: --context <name>',
  );
}

function parseHeader(text: string): [string, string] {
  const [, name, value] = /^([\w-]+):\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw usageError('--header takes "Name: value".', 'For example: --header "Accept: text/csv"');
  if (/^(?:authorization|idempotency-key)$/i.test(name)) {
    throw usageError(
      `--header cannot set ${name}.`,
      'Keys come from hubline auth login; see also --idempotency-key.',
    );
  }
  return [name, value];
}

/** Fields as a query: texts as they are, the rest as JSON. */
function queryOf(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

/** Fields of a request from `-f name=text` and `-F name=value`; a name given several times becomes a list. */
async function parseFields(
  ctx: Context,
  { raw, typed }: { raw: readonly string[]; typed: readonly string[] },
): Promise<Record<string, unknown>> {
  const pairs = typed.map(split);
  assertOneStdin(pairs.map(([name, text]) => [`-F ${name}`, text.replace(/^@/, '')]));
  const fields = new Map<string, unknown[]>();
  const add = (name: string, value: unknown): unknown =>
    fields.set(name, [...(fields.get(name) ?? []), value]);
  for (const [name, text] of raw.map(split)) add(name, text);
  for (const [name, text] of pairs) add(name, await typedValue(ctx, name, text));
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

function split(pair: string): [string, string] {
  const at = pair.indexOf('=');
  if (at < 1) throw usageError(`A field is name=value, not "${pair}".`, 'For example: -f type=push');
  return [pair.slice(0, at), pair.slice(at + 1)];
}

async function typedValue(ctx: Context, name: string, text: string): Promise<unknown> {
  const source = text === '-' ? '-' : text.startsWith('@') ? text.slice(1) : undefined;
  if (source !== undefined) return readText(ctx, source, `-F ${name}`);
  try {
    return parseJSON(text);
  } catch {
    return text;
  }
}
