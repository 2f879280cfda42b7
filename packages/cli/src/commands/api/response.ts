import type { Page } from '@hubline/contract/types';
import type { ApiPromise } from '@hubline/sdk';
import type { Context } from '../../context.ts';
import { chooseFormat, type Format } from '../../output/formats/format.ts';
import { RawText } from '../../output/items.ts';

/** Formats of rows. For these, a page is its items. */
const ROWS: readonly Format[] = ['csv', 'tsv', 'table', 'id'];
/** Formats in which a text that is not JSON is printed as it is. In the others it is a string. */
const AS_IS: readonly Format[] = ['human', 'csv'];

/** The response to `hubline api`, as it is printed. */
export async function responseOf(
  ctx: Context,
  pending: ApiPromise<unknown>,
  { include }: { include: boolean },
): Promise<unknown> {
  const format = chooseFormat(ctx.globals);
  let body: unknown;
  try {
    const { data, response } = await pending.withResponse();
    if (include) return { status: response.status, headers: response.headers, body: data };
    body = data;
  } catch (error) {
    const response = await otherText(pending, error);
    if (include) return response;
    return AS_IS.includes(format) ? new RawText(response.body) : response.body;
  }
  if (!ROWS.includes(format) || !isPage(body)) return body;
  if (body.pagination?.next_cursor) ctx.noteBelow('This is the first page. For all items, add --all.');
  return itemsOf(body.data);
}

/** A response of Hubline that is not JSON, such as the audit log as CSV. One without its request ID is the page of a proxy. */
async function otherText(
  pending: ApiPromise<unknown>,
  error: unknown,
): Promise<{ status: number; headers: Record<string, string>; body: string }> {
  const { isInvalidResponseError } = await import('@hubline/sdk');
  if (!isInvalidResponseError(error) || !error.requestId) throw error;
  const response = await pending.asResponse().catch(() => {
    throw error;
  });
  const { status, headers } = response;
  if (/json/i.test(headers.get('content-type') ?? 'json')) throw error;
  return { status, headers: Object.fromEntries(headers), body: await response.text() };
}

function isPage(body: unknown): body is Partial<Page<unknown>> & { readonly data: readonly unknown[] } {
  return (
    typeof body === 'object' &&
    body !== null &&
    'pagination' in body &&
    'data' in body &&
    Array.isArray(body.data)
  );
}

async function* itemsOf(items: readonly unknown[]): AsyncGenerator {
  yield* items;
}
