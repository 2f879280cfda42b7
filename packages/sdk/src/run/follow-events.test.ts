import { describe, expect, it } from 'vitest';
import { clientOf, errorBody, failureOf } from '../../test/client.ts';
import { scripted, type Step, until } from '../../test/scripted-server.ts';
import { isAPIError } from '../core/api-error.ts';
import { isAbortError, isInvalidResponseError } from '../core/errors.ts';

const message = (id: string) => `id: ${id}\nevent: event\ndata: {"event_id":"${id}"}\n\n`;

/** Sends `text`, then ends, stays open silently, or cuts the connection. */
const stream =
  (text: string, then: 'end' | 'stay' | 'cut' = 'end', headers: Record<string, string> = {}): Step =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
    response.write(text, () => {
      if (then === 'end') response.end();
      if (then === 'cut') response.destroy();
    });
    response.flushHeaders();
  };

async function take(events: AsyncIterable<{ event_id: string }>, count: number) {
  const ids: string[] = [];
  for await (const { event_id } of events) {
    ids.push(event_id);
    if (ids.length === count) break;
  }
  return ids;
}

describe('a stream of events', () => {
  it('resumes after the last event if the connection ends or breaks, or the server is unavailable', async () => {
    await using server = await scripted(
      stream(message('evt_1') + message('evt_2')),
      { status: 503 },
      'reset',
      stream(`: hello\n\n${message('evt_3')}id: evt_4\ndata: {"unfini`, 'cut'),
      stream(message('evt_4')),
    );
    const { client, time } = clientOf(server, { maxRetries: 1 });
    const events = client.events.stream('ws_1', { type: 'push' });
    expect(await take(events, 4)).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4']);
    expect(events.lastEventId).toBe('evt_4');
    expect(server.requests.map(({ headers }) => headers['last-event-id'])).toEqual([
      undefined,
      'evt_2',
      'evt_2',
      'evt_2',
      'evt_3',
    ]);
    expect(server.requests[0]).toMatchObject({
      url: '/v1/workspaces/ws_1/events/stream?type=push',
      headers: { accept: 'text/event-stream' },
    });
    // After the reset of a kept connection, the transport itself opens another one.
    expect(server.waits).toEqual([1_000, 1_000, 0, 1_000]);
    await until(() => server.underWay === 0);
    expect(time.open).toBe(0);
  });

  it('parses with the parser of the client', async () => {
    await using server = await scripted(stream(message('evt_1')));
    const parseJSON = (text: string) => ({ event_id: text });
    const events = clientOf(server, { parseJSON }).client.events.stream('ws_1');
    expect(await take(events, 1)).toEqual(['{"event_id":"evt_1"}']);
  });

  it('continues where an earlier one ended', async () => {
    await using server = await scripted(stream(message('evt_9')));
    await take(clientOf(server).client.events.stream('ws_1', {}, { lastEventId: 'evt_8' }), 1);
    expect(server.requests[0]?.headers['last-event-id']).toBe('evt_8');
  });

  it('that breaks before its first event resumes from when it was opened, by the clock of the server', async () => {
    const date = 'Thu, 01 Jan 2026 10:00:00 GMT';
    await using server = await scripted(stream('', 'end', { date }), stream(message('evt_1')));
    await take(clientOf(server).client.events.stream('ws_1'), 1);
    expect(server.requests[1]?.url).toBe(
      '/v1/workspaces/ws_1/events/stream?since=2026-01-01T10%3A00%3A00.000Z',
    );
  });

  it.each([
    ['a since that is undefined', { since: undefined }, '2026-01-01T10:00:00.000Z'],
    ['its own since', { since: '2026-01-01T09:00:00Z' }, '2026-01-01T09:00:00Z'],
  ])('with %s also resumes from where it began', async (_, query, since) => {
    const date = 'Thu, 01 Jan 2026 10:00:00 GMT';
    await using server = await scripted(
      stream('', 'end', { date }),
      stream('', 'cut'),
      stream(message('evt_1')),
    );
    await take(clientOf(server).client.events.stream('ws_1', query), 1);
    const asked = server.requests.map(({ url }) => new URL(url, server.origin).searchParams.get('since'));
    expect(asked).toEqual([query.since ?? null, since, since]);
  });

  it('waits longer and longer while connections bring nothing, or as long as the server asks', async () => {
    await using server = await scripted(
      stream(''),
      stream(''),
      stream('retry: 9000\n\n'),
      stream(message('evt_1')),
    );
    await take(clientOf(server).client.events.stream('ws_1'), 1);
    expect(server.waits).toEqual([1_000, 2_000, 9_000]);
  });

  it('counts a silent connection as lost', async () => {
    await using server = await scripted(stream(message('evt_1'), 'stay'), stream(message('evt_2'), 'stay'));
    const { client, time } = clientOf(server);
    const events = client.events.stream('ws_1', {}, { idleTimeout: 20_000 });
    const ids = take(events, 2);
    await until(() => events.lastEventId === 'evt_1' && time.open === 1);
    time.advance(20_000);
    expect(await ids).toEqual(['evt_1', 'evt_2']);
    await until(() => server.underWay === 0);
  });

  it('throws the error that the server refuses it with, and one for an outage at the very beginning', async () => {
    await using server = await scripted({ status: 404, body: errorBody('not_found') }, 'reset');
    const { client } = clientOf(server, { maxRetries: 1 });
    expect(isAPIError(await failureOf(take(client.events.stream('ws_1'), 1)), 'not_found')).toBe(true);
    expect(await failureOf(take(client.events.stream('ws_1'), 1))).toMatchObject({ name: 'ConnectionError' });
  });

  it('ends with an AbortError when its signal aborts, and leaves no connection', async () => {
    await using server = await scripted(stream(message('evt_1'), 'stay'));
    const { client, time } = clientOf(server);
    const controller = new AbortController();
    const events = client.events.stream('ws_1', {}, { signal: controller.signal });
    const call = failureOf(take(events, 2));
    await until(() => events.lastEventId === 'evt_1');
    controller.abort();
    expect(isAbortError(await call)).toBe(true);
    await until(() => server.underWay === 0);
    expect(time.open).toBe(0);
  });

  it.each(['return', 'throw'] as const)(
    'ends at once, without an error, when its iterator is ended by %s while it waits for an event',
    async (how) => {
      await using server = await scripted(stream(message('evt_1'), 'stay'));
      const { client, time } = clientOf(server);
      const events = client.events.stream('ws_1', {}, { signal: new AbortController().signal });
      const iterator = events[Symbol.asyncIterator]();
      await iterator.next();
      const next = iterator.next();
      const ended = Promise.allSettled([iterator[how](new Error('mine'))]);
      expect(await next).toEqual({ done: true, value: undefined });
      expect((await ended)[0].status).toBe(how === 'throw' ? 'rejected' : 'fulfilled');
      await until(() => server.underWay === 0);
      expect(time.open).toBe(0);
      // Iterated again, it continues.
      expect(await take(events, 1)).toEqual(['evt_1']);
      expect(server.requests[1]?.headers['last-event-id']).toBe('evt_1');
    },
  );

  it('that waits to reconnect ends at once when its iterator is returned from', async () => {
    await using server = await scripted(stream(message('evt_1')));
    const { client, time } = clientOf(server);
    time.auto = false;
    const iterator = client.events.stream('ws_1')[Symbol.asyncIterator]();
    await iterator.next();
    const next = iterator.next();
    await until(() => time.asleep);
    await iterator.return();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(time.open).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  it('gives no event after its signal has aborted, and resumes after the last that it gave', async () => {
    await using server = await scripted(stream(message('evt_1') + message('evt_2'), 'stay'));
    const controller = new AbortController();
    const events = clientOf(server).client.events.stream('ws_1', {}, { signal: controller.signal });
    const ids: string[] = [];
    const iterate = async () => {
      for await (const { event_id } of events) {
        ids.push(event_id);
        controller.abort();
      }
    };
    expect(isAbortError(await failureOf(iterate()))).toBe(true);
    expect(ids).toEqual(['evt_1']);
    expect(events.lastEventId).toBe('evt_1');
    await until(() => server.underWay === 0);
  });

  it('that was open once survives an outage longer than the totalTimeout of the client', async () => {
    await using server = await scripted(
      stream(message('evt_1')),
      ...Array.from({ length: 5 }, (): Step => ({ status: 503 })),
      stream(message('evt_2')),
    );
    const { client } = clientOf(server, { totalTimeout: 5_000 });
    expect(await take(client.events.stream('ws_1'), 2)).toEqual(['evt_1', 'evt_2']);
  });

  it('asks for the events since it was opened if the last ID is empty', async () => {
    const date = 'Thu, 01 Jan 2026 10:00:00 GMT';
    await using server = await scripted(
      stream('id\ndata: {"event_id":"evt_1"}\n\n', 'end', { date }),
      stream(message('evt_2')),
    );
    await take(clientOf(server).client.events.stream('ws_1', {}, { lastEventId: '' }), 2);
    expect(server.requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, undefined]);
    expect(server.requests[1]?.url).toContain('?since=2026-01-01T10');
  });

  it.each([
    [{ idleTimeout: 0 }, 'idleTimeout must be a number from 1, or Infinity.'],
    [{ idleTimeout: Number.NaN }, 'idleTimeout must be a number from 1, or Infinity.'],
    [{ idleTimeout: '5' as never }, 'idleTimeout must be a number from 1, or Infinity.'],
    [{ lastEventId: '二' }, 'lastEventId must be one line of Latin-1 text.'],
    [{ lastEventId: 'a\nb' }, 'lastEventId must be one line of Latin-1 text.'],
    [{ lastEventId: 7 as never }, 'lastEventId must be one line of Latin-1 text.'],
  ])('refuses %j, and names the option, before anything is sent', async (options, rule) => {
    await using server = await scripted(stream(message('evt_1')));
    const error = await failureOf(take(clientOf(server).client.events.stream('ws_1', {}, options), 1));
    expect(error).toMatchObject({ name: 'HublineError', message: rule });
    expect(server.requests).toEqual([]);
  });

  it('makes every connection with the query that it was given, even if that object changes', async () => {
    await using server = await scripted(stream(message('evt_1')), stream(message('evt_2')));
    const query = { type: 'push' };
    const events = clientOf(server).client.events.stream('ws_1', query);
    query.type = 'issue';
    await take(events, 2);
    expect(server.requests.map(({ url }) => url.split('?')[1])).toEqual(['type=push', 'type=push']);
  });

  it('ends when the server says 204', async () => {
    await using server = await scripted(stream(message('evt_1')), { status: 204 });
    expect(await take(clientOf(server).client.events.stream('ws_1'), 9)).toEqual(['evt_1']);
  });

  it.each([
    ['JSON', 'data: {oops\n\n'],
    ['an object', 'data: null\n\n'],
    ['an object', 'data: [1]\n\n'],
    ['an object', 'data: 5\n\n'],
  ])('throws on an event that is not %s', async (_, text) => {
    await using server = await scripted(stream(text, 'stay'));
    const error = await failureOf(take(clientOf(server).client.events.stream('ws_1'), 1));
    expect(isInvalidResponseError(error)).toBe(true);
    expect(error.message).toContain(
      'events.stream responded with 200 and an event that is not a JSON object',
    );
    await until(() => server.underWay === 0);
  });

  it('throws on an event larger than maxResponseBytes', async () => {
    await using server = await scripted(stream(`data: ${'x'.repeat(2_000)}`, 'stay'));
    const { client } = clientOf(server, { maxResponseBytes: 1_000 });
    expect(isInvalidResponseError(await failureOf(take(client.events.stream('ws_1'), 1)))).toBe(true);
    await until(() => server.underWay === 0);
  });

  it.each([
    ['HTML', { 'content-type': 'text/html; charset=utf-8' }],
    ['JSON', { 'content-type': 'application/json' }],
    ['no type at all', {}],
  ])(
    'that answers with %s fails at once, and names the call, instead of reconnecting forever',
    async (_, headers) => {
      await using server = await scripted({ status: 200, headers, body: '<html>Welcome</html>' });
      const { client, time } = clientOf(server);
      const error = await failureOf(take(client.events.stream('ws_1'), 1));
      expect(isInvalidResponseError(error)).toBe(true);
      expect(error.message).toMatch(
        /GET \/workspaces\/ws_1\/events\/stream responded with 200 .*text\/event-stream/,
      );
      expect(server.requests).toHaveLength(1);
      await until(() => server.underWay === 0);
      expect(time.open).toBe(0);
    },
  );

  it('that was open once survives errors of a proxy, and a rate limit of any length', async () => {
    await using server = await scripted(
      stream(message('evt_1')),
      ...[502, 504, 520, 522, 527, 530].map((status): Step => ({ status, body: '<html>' })),
      { status: 429, headers: { 'retry-after': '120' } },
      stream(message('evt_2')),
    );
    const { client } = clientOf(server, { maxRetries: 0 });
    expect(await take(client.events.stream('ws_1'), 2)).toEqual(['evt_1', 'evt_2']);
    expect(server.waits.at(-1)).toBe(120_000);
  });
});

describe('the audit log as CSV', () => {
  it('comes in pieces of text as they arrive', async () => {
    const csv = 'id,action\naud_1,é\n';
    await using server = await scripted((response) => {
      const bytes = Buffer.from(csv);
      response.writeHead(200, { 'content-type': 'text/csv' });
      // Cut within a character.
      response.write(bytes.subarray(0, 17));
      setImmediate(() => response.end(bytes.subarray(17)));
    });
    const { client, time } = clientOf(server);
    let text = '';
    for await (const piece of client.auditLog.exportCsv('ws_1', { actor: 'usr_1' })) text += piece;
    expect(text).toBe(csv);
    expect(server.requests[0]).toMatchObject({
      url: '/v1/workspaces/ws_1/audit-log?actor=usr_1&format=csv',
      headers: { accept: 'text/csv' },
    });
    expect(time.open).toBe(0);
  });

  it.each(['text/html', 'application/json'])(
    'that comes as %s is an InvalidResponseError, before a byte of it is taken for a row',
    async (type) => {
      await using server = await scripted({ status: 200, headers: { 'content-type': type }, body: '<html>' });
      const iterate = async () => {
        for await (const piece of clientOf(server).client.auditLog.exportCsv('ws_1')) expect(piece).toBe('');
      };
      const error = await failureOf(iterate());
      expect(isInvalidResponseError(error)).toBe(true);
      expect(error.message).toContain(
        `GET /workspaces/ws_1/audit-log responded with 200 without text/csv (${type})`,
      );
      await until(() => server.underWay === 0);
    },
  );

  it('ends at its totalTimeout, which counts the time of the reader, even if more data is there', async () => {
    await using server = await scripted((response) => {
      response.writeHead(200, { 'content-type': 'text/csv' });
      const more = () => void (response.destroyed || response.write('id\n', () => setImmediate(more)));
      more();
    });
    const { client, time } = clientOf(server, { timeout: 1_000 });
    const rows = client.auditLog.exportCsv('ws_1', {}, { totalTimeout: 5_000 });
    await rows.next();
    time.advance(4_999);
    expect(await rows.next()).toMatchObject({ done: false });
    time.advance(1);
    expect(await failureOf(rows.next())).toMatchObject({
      name: 'TimeoutError',
      message: 'GET /workspaces/ws_1/audit-log got no complete response: its totalTimeout is over.',
    });
    await until(() => server.underWay === 0);
    expect(time.open).toBe(0);
  });

  it.each([
    [{ timeout: 1_000, totalTimeout: 5_000 }, 'nothing came for 1000 ms'],
    [{ timeout: 9_000, totalTimeout: 1_000 }, 'its totalTimeout is over'],
  ])('that stalls ends with %j', async (limits, why) => {
    await using server = await scripted((response) => {
      response.writeHead(200, { 'content-type': 'text/csv' }).write('id\n');
    });
    const { client, time } = clientOf(server);
    // The fake timers count whole milliseconds, so each fires a little early, as real ones may.
    time.advance(0.6);
    const rows = client.auditLog.exportCsv('ws_1', {}, limits);
    await rows.next();
    const error = failureOf(rows.next());
    await until(() => time.open === 1);
    time.advance(999.5);
    expect((await error).message).toContain(why);
    await until(() => server.underWay === 0);
  });

  it('that breaks off throws a ConnectionError instead of looking complete', async () => {
    await using server = await scripted((response) => {
      response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8', 'content-length': '100' });
      response.write('id,action\n', () => response.destroy());
    });
    const iterate = async () => {
      for await (const piece of clientOf(server).client.auditLog.exportCsv('ws_1'))
        expect(piece).toBe('id,action\n');
    };
    expect(await failureOf(iterate())).toMatchObject({ name: 'ConnectionError' });
    expect(server.requests).toHaveLength(1);
  });
});
