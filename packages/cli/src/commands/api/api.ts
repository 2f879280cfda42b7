import type { Hubline, Method } from '@hubline/sdk';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors/errors.ts';
import { define } from '../../spec/command.ts';
import type { View } from '../../spec/view.ts';
import { allItems } from './all-items.ts';
import { apiRequest, METHODS } from './request.ts';
import { responseOf } from './response.ts';

type Anything = Readonly<Record<string, unknown>>;

/** The response can be anything, so its fields are not known. */
const ANYTHING: View<Anything> = { noun: ['item', 'items'], fields: [], columns: [], id: 'id' };

const api = define({
  path: 'api',
  summary: 'Make any request to the API: hubline api <path>, or hubline api <METHOD> <path>.',
  description:
    '{workspace} in the path stands for the workspace in use. Fields go into the query of GET and DELETE, and into the body of POST and PATCH. -o csv, tsv and table have a column for each field; a page of a list is printed as its items. A response that is not JSON, such as CSV, is printed as it is. --cache stores responses in the cache of this user, which nobody else can read.',
  args: {
    request: { summary: 'Path below the base URL, or a method followed by the path' },
    path: { summary: 'Path, when the method is given', optional: true },
  },
  flags: {
    method: {
      type: 'text',
      short: 'X',
      value: 'method',
      suggestions: METHODS,
      summary: 'GET, or POST if there is a body',
    },
    'raw-field': {
      type: 'text',
      short: 'f',
      value: 'k=v',
      repeatable: true,
      summary: 'Field with a string value',
    },
    field: {
      type: 'text',
      short: 'F',
      value: 'k=v',
      repeatable: true,
      summary: 'Field with a JSON value, @file, or - for stdin; anything else is sent as text',
    },
    header: { type: 'text', short: 'H', value: 'name:value', repeatable: true, summary: 'Header to send' },
    input: { type: 'text', value: 'file|-', summary: 'The body, as JSON' },
    include: { type: 'boolean', short: 'i', summary: 'Print { status, headers, body } instead of the body' },
    cache: {
      type: 'duration',
      value: 'duration',
      summary: 'Reuse a stored response to this GET if it is younger than this, such as 60s',
    },
    all: { type: 'boolean', summary: 'Follow all pages of a list and print its items' },
  },
  examples: [
    'hubline api me',
    'hubline api workspaces/{workspace}/events -f type=push --all',
    'hubline api me --cache 10m --jq .user.email',
    'hubline api POST /webhooks --input body.json -i',
  ],
  view: ANYTHING,
  document: true,
  typed: false,
  async run(ctx, { args, flags }) {
    if (flags.all && flags.include)
      throw usageError('--include shows one response, but --all may read several.', 'Leave out one of them.');
    const request = { ...(await apiRequest(ctx, { ...args, ...flags })), ...ctx.request };
    const client = await clientOf(ctx, request.method, flags.cache);
    if (flags.all) return allItems<Anything>(client, request);
    return responseOf(ctx, client.request(request), flags) as Promise<Anything>;
  },
});

async function clientOf(ctx: Context, method: Method, maxAge: number | undefined): Promise<Hubline> {
  if (maxAge === undefined) return ctx.client();
  const { cachingClient } = await import('./response-cache.ts');
  return cachingClient(ctx, method, maxAge);
}

export const commands = [api] as const;
