import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { API_KEY, clientOf, failureOf } from '../../test/client.ts';
import { scripted } from '../../test/scripted-server.ts';
import { Hubline } from '../hubline.node.ts';
import { InvalidResponseError } from './errors.ts';
import type { Transport } from './transport.ts';

const page = (ids: string[], cursor: string | null, more = cursor !== null) => ({
  status: 200,
  body: { data: ids.map((id) => ({ id })), pagination: { next_cursor: cursor, has_more: more } },
});

const collect = async <T>(items: AsyncIterable<T>) => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

describe('a list', () => {
  it('is its first page when awaited, and every item when iterated', async () => {
    await using server = await scripted(page(['a', 'b'], 'c1'), page(['a', 'b'], 'c1'), page(['c'], null));
    const { client } = clientOf(server);
    const first = await client.workspaces.list({ limit: 2 });
    expect(first.data.map(({ id }) => id)).toEqual(['a', 'b']);
    expect((await collect(client.workspaces.list({ limit: 2 }))).map(({ id }) => id)).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/v1/workspaces?limit=2',
      '/v1/workspaces?limit=2',
      '/v1/workspaces?limit=2&cursor=c1',
    ]);
  });

  it('asks for later pages with the query that it was given, even if that object changes', async () => {
    await using server = await scripted(page(['a'], 'c1'), page(['b'], null));
    const { client } = clientOf(server);
    const query = { limit: 1 };
    for await (const _ of client.workspaces.list(query)) query.limit = 50;
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/v1/workspaces?limit=1',
      '/v1/workspaces?limit=1&cursor=c1',
    ]);
  });

  it('continues from a page, and from a saved cursor', async () => {
    await using server = await scripted(page(['a'], 'c/1?'), page(['b'], null));
    const { client } = clientOf(server);
    const first = await client.workspaces.list();
    expect([first.cursor, first.nextCursor]).toEqual([null, 'c/1?']);
    expect((await collect(first)).map(({ id }) => id)).toEqual(['a', 'b']);
    const later = await client.workspaces.list({ cursor: first.nextCursor ?? '' });
    expect([later.cursor, later.nextCursor]).toEqual(['c/1?', null]);
    expect(await later.nextPage()).toBeNull();
  });

  it('does not end at an empty page that has a next one', async () => {
    await using server = await scripted(page([], 'c1'), page([], 'c2'), page(['z'], null));
    expect(await clientOf(server).client.workspaces.list().toArray()).toEqual([{ id: 'z' }]);
  });

  it('ends when has_more is false, whatever the cursor', async () => {
    await using server = await scripted(page(['a'], 'c1', false));
    expect(await clientOf(server).client.workspaces.list().toArray()).toHaveLength(1);
    expect(server.requests).toHaveLength(1);
  });

  it('without pagination, as in some examples of the specification, is one page', async () => {
    await using server = await scripted({ status: 200, body: { data: [{ user_id: 'usr_1' }] } });
    expect(await clientOf(server).client.members.list('ws_1').toArray()).toEqual([{ user_id: 'usr_1' }]);
  });

  it('reads no page beyond the limit of toArray', async () => {
    await using server = await scripted(page(['a', 'b'], 'c1'), page(['c', 'd'], 'c2'));
    const { client } = clientOf(server);
    expect(await client.workspaces.list().toArray({ limit: 4 })).toHaveLength(4);
    expect(server.requests).toHaveLength(2);
    expect(await client.workspaces.list().toArray({ limit: 0 })).toEqual([]);
  });

  it.each([Number.NaN, -1, 1.5, '5' as never, null as never])(
    'refuses to collect up to %j items, instead of all or none',
    async (limit) => {
      await using server = await scripted(page(['a', 'b'], 'c1'), page(['c'], null));
      const { client } = clientOf(server);
      expect(await failureOf(client.workspaces.list().toArray({ limit }))).toMatchObject({
        name: 'HublineError',
        message: 'limit must be a whole number from 0, or Infinity.',
      });
    },
  );

  it('gives its pages, with the rate limit of each', async () => {
    const headers = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': '1' };
    await using server = await scripted({ ...page(['a'], 'c1'), headers }, page(['b'], null));
    const pages = await collect(clientOf(server).client.workspaces.list().pages());
    expect(pages.map(({ data }) => data.length)).toEqual([1, 1]);
    expect(pages.map(({ rateLimit }) => rateLimit)).toEqual([{ limit: 10, remaining: 9, reset: 1 }, null]);
    expect(JSON.parse(JSON.stringify(pages[0]))).toMatchObject({ data: [{ id: 'a' }] });
  });

  it.each([
    ['the same cursor again', [page(['a'], 'c1'), page(['b'], 'c1')], 2],
    ['a cycle of cursors', [page(['a'], 'c1'), page(['b'], 'c2'), page(['c'], 'c1')], 3],
  ])('stops with an error at %s, after the items so far', async (_, steps, items) => {
    await using server = await scripted(...steps);
    const seen: unknown[] = [];
    const iterate = async () => {
      for await (const item of clientOf(server).client.workspaces.list()) seen.push(item);
    };
    expect(await failureOf(iterate())).toBeInstanceOf(InvalidResponseError);
    expect(seen).toHaveLength(items);
    expect(server.requests).toHaveLength(items);
  });

  it('of empty pages, each with a new cursor, ends with an error after ten thousand of them', async () => {
    let count = 0;
    // Without a network, because ten thousand requests to a server take seconds.
    const transport: Transport = async () => {
      count += 1;
      const { status, body } = page([], `c${count}`);
      const bytes = new TextEncoder().encode(JSON.stringify(body));
      return { status, headers: {}, body: ReadableStream.from([bytes]) };
    };
    const error = await failureOf(new Hubline({ apiKey: API_KEY, transport }).workspaces.list().toArray());
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error.message).toContain('GET /workspaces responded with 200 and 10000 empty pages in a row');
    expect(count).toBe(10_000);
  });

  it('continues over hundreds of empty pages', async () => {
    let count = 0;
    await using server = await scripted((response) => {
      count += 1;
      const { status, body } = page(count === 300 ? ['item'] : [], count === 300 ? null : `c${count}`);
      response.writeHead(status).end(JSON.stringify(body));
    });
    expect(await clientOf(server).client.workspaces.list().toArray()).toHaveLength(1);
    expect(server.requests).toHaveLength(300);
  });

  it('continues after pages that are shorter than the limit', async () => {
    await using server = await scripted(page(['a'], 'c1'), page(['b', 'c'], 'c2'), page(['d'], null));
    expect(await clientOf(server).client.workspaces.list({ limit: 100 }).toArray()).toHaveLength(4);
  });

  it.each([
    ['no data', {}],
    ['data that is not an array', { data: {} }],
    ['more items but no cursor', { data: [], pagination: { has_more: true, next_cursor: null } }],
    ['null', 'null'],
  ])('with %s is an InvalidResponseError', async (_, body) => {
    await using server = await scripted({ status: 200, body });
    expect(await failureOf(clientOf(server).client.workspaces.list())).toBeInstanceOf(InvalidResponseError);
  });

  it('without its cursor is refused by the full name of the field', async () => {
    await using server = await scripted({ status: 200, body: { data: [], pagination: { has_more: true } } });
    expect((await failureOf(clientOf(server).client.workspaces.list())).message).toBe(
      'GET /workspaces responded with 200 without data and pagination.next_cursor.',
    );
  });

  it('gives every item once and in order, whatever the sizes of the pages', async () => {
    const sizes = fc.array(fc.nat(5), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(70), async (cut, limit) => {
        let id = 0;
        const pages = cut.map((size) => Array.from({ length: size }, () => ({ id: id++ })));
        const transport: Transport = async ({ url }) => {
          const index = Number(new URL(url).searchParams.get('cursor') ?? 0);
          const more = index + 1 < pages.length;
          const body = {
            data: pages[index],
            pagination: { next_cursor: more ? `${index + 1}` : null, has_more: more },
          };
          const bytes = new TextEncoder().encode(JSON.stringify(body));
          return { status: 200, headers: {}, body: ReadableStream.from([bytes]) };
        };
        const client = new Hubline({ apiKey: 'hl_x', transport });
        const all = Array.from({ length: id }, (_, n) => ({ id: n }));
        expect(await client.workspaces.list().toArray()).toEqual(all);
        expect(await client.workspaces.list().toArray({ limit })).toEqual(all.slice(0, limit));
      }),
      { numRuns: 60 },
    );
  });
});

it('a list keeps the error of its first page until somebody asks for it, and leaves no rejection unhandled', async () => {
  const transport: Transport = async () => ({ status: 404, headers: {}, body: null });
  const list = () => new Hubline({ apiKey: 'hl_x', transport }).workspaces.list();
  const unhandled: unknown[] = [];
  const record = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', record);
  // Loads the code that makes calls; after that, a call takes no longer than the promises in between.
  await failureOf(list());
  const [items, pages, ended] = [list(), list().pages(), list().pages()];
  void list();
  await ended.return();
  await new Promise(setImmediate);
  process.off('unhandledRejection', record);
  expect(unhandled).toEqual([]);
  for (const asked of [collect(items), items, collect(pages)])
    expect(await failureOf(asked)).toMatchObject({ name: 'NotFoundError' });
});

describe('a call', () => {
  it('is one request, however often its result is asked for', async () => {
    await using server = await scripted({
      status: 200,
      headers: { 'x-request-id': 'req_7' },
      body: { id: 'ws_1' },
    });
    const call = clientOf(server).client.workspaces.get('ws_1');
    expect(call).toBeInstanceOf(Promise);
    const { data, response } = await call.withResponse();
    expect(data).toEqual({ id: 'ws_1' });
    expect(response).toMatchObject({ status: 200, requestId: 'req_7', rateLimit: null, replayed: false });
    const web = await call.asResponse();
    expect(web).toBeInstanceOf(Response);
    expect([web.status, web.headers.get('x-request-id'), await web.json()]).toEqual([
      200,
      'req_7',
      { id: 'ws_1' },
    ]);
    await call;
    expect(server.requests).toHaveLength(1);
  });

  it('gives a Response even if the body is not JSON', async () => {
    await using server = await scripted({ status: 200, body: 'plain' });
    expect(await (await clientOf(server).client.me.get().asResponse()).text()).toBe('plain');
  });

  it('of a deletion resolves to undefined', async () => {
    await using server = await scripted({ status: 204 });
    const { client } = clientOf(server);
    expect(await client.workspaces.delete('ws_1')).toBeUndefined();
    expect((await client.workspaces.delete('ws_1').asResponse()).status).toBe(204);
  });

  it('keeps fields and values that this version does not know', async () => {
    const body = { id: 'ws_1', plan: 'galactic', mood: 'good' };
    await using server = await scripted({ status: 200, body });
    expect(await clientOf(server).client.workspaces.get('ws_1')).toEqual(body);
  });
});
