import type { Prepared } from '../core/call.ts';
import type { Config } from '../core/config.ts';
import { invalidResponse } from '../core/errors.ts';
import type { Answer, ResponseInfo } from '../core/response.ts';
import { isObject } from '../internal/is-object.ts';
import { parseJSON } from './parse-json.ts';

/**
 * The data of an answer: an object, or `undefined` for a deletion. What somebody else says, such as a proxy, would pass for
 * typed data and fail far from here. `client.request` takes whatever JSON there is.
 */
export async function parseAnswer(
  { parseJSON: parse }: Config,
  { name, operation, schema, request }: Prepared,
  { info, text }: Pick<Answer, 'info' | 'text'>,
): Promise<unknown> {
  const any = operation === 'request';
  if (text === '' && (any || request.method === 'DELETE')) return undefined;
  const data = parseJSON(text, parse);
  if (any ? data === undefined : !isObject(data)) {
    throw foreign(name, info, any ? 'without JSON' : 'without a JSON object');
  }
  const { issues } = (await schema?.['~standard'].validate(data)) ?? {};
  if (issues) {
    const told = JSON.stringify(issues.slice(0, 5));
    throw invalidResponse(name, info, `with data that does not fit the schema: ${told}`);
  }
  return data;
}

/** Refuses a response of another media type: what a proxy says is not to be read as events or rows. */
export function assertMediaType({ name }: Prepared, info: ResponseInfo, wanted: string): void {
  // Parameters, such as a charset, may follow.
  if (!typeOf(info).toLowerCase().startsWith(wanted)) throw foreign(name, info, `without ${wanted}`);
}

const foreign = (name: string, info: ResponseInfo, what: string) =>
  invalidResponse(name, info, `${what} (${typeOf(info)}): check baseURL and the proxies in between`);

const typeOf = ({ headers }: ResponseInfo): string => headers['content-type'] ?? 'no content type';
