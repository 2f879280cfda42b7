import type { Page as WirePage } from '@hubline/contract/types';
import { parseJSON } from '../internal/parse-json.ts';
import type { Answer } from './call.ts';
import type { Config } from './config.ts';
import { InvalidResponseError } from './errors.ts';
import { schemaIssues, type StandardSchema } from './standard-schema.ts';

/** What there is to parse. */
export type Text = Pick<Answer, 'info' | 'text'>;

/** The JSON of an answer, `undefined` for an empty one; checked when there is a schema, and returned as it came. */
export async function parseAnswer(
  { parseJSON: parse }: Config,
  answer: Text,
  schema: StandardSchema | undefined,
): Promise<unknown> {
  if (answer.text === '') return undefined;
  const data = parseJSON(answer.text, parse);
  if (data === undefined) {
    const type = answer.info.headers['content-type'] ?? 'no content type';
    throw invalid(answer, `is not valid JSON (${type}): check baseURL and the proxies in between`);
  }
  const issues = schema && (await schemaIssues(schema, data));
  if (issues) throw invalid(answer, `does not fit the schema: ${issues}`);
  return data;
}

/** The page of an answer. Lists that the specification shows without `pagination` are one page. */
export function parsePage<Item>(answer: Text, data: unknown): WirePage<Item> {
  const { data: items, pagination } = (data ?? {}) as Partial<WirePage<Item>>;
  if (!Array.isArray(items)) throw invalid(answer, 'is not a list: it has no "data" array');
  const cursor = pagination?.next_cursor ?? null;
  if (pagination?.has_more && typeof cursor !== 'string') {
    throw invalid(answer, 'has more items but no "next_cursor"');
  }
  return {
    data: items,
    pagination: { next_cursor: cursor, has_more: pagination?.has_more ?? cursor !== null },
  };
}

const invalid = ({ info }: Text, what: string) =>
  new InvalidResponseError(`The response with status ${info.status} ${what}.`, info);
