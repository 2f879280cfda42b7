import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { errorResponse, fakeApi, pageResponse, WORKSPACE } from '../test/fake-api.ts';
import { runCli } from '../test/run-cli.ts';
import { Interrupted } from './errors.ts';
import { EXIT_CODES } from './exit-codes.ts';

const id = 'evt_06f8xw2b3c4d5e6f7g8h9j0kmn';

describe("the server's response decides the exit code", () => {
  it.each([
    [400, 'invalid_request', 6],
    [401, 'unauthorized', 3],
    [403, 'forbidden', 3],
    [404, 'not_found', 4],
    [405, 'invalid_request', 6],
    [409, 'conflict', 5],
    [413, 'invalid_request', 6],
    [422, 'unprocessable_entity', 5],
    [429, 'rate_limited', 8],
    [500, 'internal_error', 7],
    [503, 'service_unavailable', 7],
  ])('%d %s is %d', async (status, code, exit) => {
    const details = [{ field: 'name', issue: 'is too long' }];
    const api = await fakeApi(() => errorResponse(status, code, details));
    const plain = await runCli(['event', 'get', id, '--retries=0'], { env: api.env });
    expect(plain).toMatchObject({ code: exit, out: '' });
    expect(plain.err).toContain(`Error: It is ${code}.`);
    expect(plain.err).toContain('name: is too long');
    expect(plain.err).toContain('req_test');

    const json = await runCli(['event', 'get', id, '--retries=0', '--json'], { env: api.env });
    expect({ ...json, err: JSON.parse(json.err) as unknown }).toMatchObject({
      code: exit,
      out: '',
      err: {
        error: { code, status, message: `It is ${code}.`, request_id: 'req_test', details, exit_code: exit },
      },
    });
  });

  it('knows the older, flat error body', async () => {
    const body = { error: 'not_found', message: 'No such event.', status_code: 404 };
    const api = await fakeApi(() => ({ status: 404, body }));
    const { code, err } = await runCli(['event', 'get', id, '--json'], { env: api.env });
    expect(code).toBe(4);
    expect(JSON.parse(err)).toMatchObject({ error: { message: 'No such event.', status: 404 } });
  });

  it('is 7 when nobody listens, when the response is not from Hubline, and when it is a redirect', async () => {
    // A port that was free a moment ago may be in use by now.
    const env = { HUBLINE_BASE_URL: 'http://127.0.0.1:1', HUBLINE_API_KEY: 'hl_x' };
    const refused = await runCli(['whoami', '--retries=0'], { env });
    expect(refused.code).toBe(7);
    expect(refused.err).toContain('Nothing responds at http://127.0.0.1:1.');

    const html = await fakeApi(() => ({ text: '<html>', headers: { 'content-type': 'text/html' } }));
    expect(await runCli(['whoami', '--retries=0'], { env: html.env })).toMatchObject({ code: 7, out: '' });
    const redirect = await fakeApi(() => ({ status: 302, headers: { location: 'https://example.com/' } }));
    expect(await runCli(['whoami', '--retries=0'], { env: redirect.env })).toMatchObject({
      code: 7,
      out: '',
    });
  });

  it('is 8 at once when the server asks for a longer pause than --max-wait', async () => {
    const api = await fakeApi(() => ({
      ...errorResponse(429, 'rate_limited'),
      headers: { 'retry-after': '30' },
    }));
    const { code } = await runCli(['whoami', '--max-wait=10s'], { env: api.env });
    expect({ code, requests: api.received.length }).toEqual({ code: 8, requests: 1 });
  });
});

it('is 3 without a key, and says how to log in', async () => {
  const { code, err } = await runCli(['whoami']);
  expect(code).toBe(3);
  expect(err).toContain('hubline auth login');
});

it('is 10 when some of several IDs failed: each has its line', async () => {
  const api = await fakeApi(({ path }) =>
    path.endsWith('good') ? { body: { id: 'good', status: 'active' } } : undefined,
  );
  const human = await runCli(['webhook', 'get', 'good', 'bad', '-q'], { env: api.env });
  expect(human).toMatchObject({ code: 10, out: 'good\nbad\n' });
  const json = await runCli(['webhook', 'get', 'good', 'bad', '--json'], { env: api.env });
  expect(json.code).toBe(10);
  expect(JSON.parse(json.out)).toEqual([
    { id: 'good', status: 'active' },
    { id: 'bad', error: { code: 'not_found', message: 'It is not_found.' } },
  ]);
});

it('is that of the one ID when there is one', async () => {
  const api = await fakeApi(() => undefined);
  expect(await runCli(['webhook', 'get', 'bad'], { env: api.env })).toMatchObject({ code: 4, out: '' });
});

it('is 9 when a check says no, after its result was printed', async () => {
  const result = { success: false, integration_id: 'int_x', destination: '#ops', error: 'channel_not_found' };
  const api = await fakeApi(() => ({ body: result }));
  const { code, out, err } = await runCli(['integration', 'test', 'int_x', '--json'], { env: api.env });
  expect({ code, out: JSON.parse(out) as unknown }).toEqual({ code: 9, out: result });
  expect(JSON.parse(err)).toMatchObject({ error: { code: 'check_failed', exit_code: 9 } });
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('is that of %s, %d, and a begun document is closed', async (signal, exit) => {
  const stop = new AbortController();
  const api = await fakeApi(({ query }) => {
    if (query['cursor'] === undefined) return pageResponse([{ event_id: 'evt_1' }], 'next');
    stop.abort(new Interrupted(signal));
    return errorResponse(503, 'service_unavailable');
  });
  const line = ['event', 'list', '--all', '--json', '-w', WORKSPACE];
  const { code, out, err } = await runCli(line, { env: api.env, signal: stop.signal });
  expect({ code, out: JSON.parse(out) as unknown, err }).toEqual({
    code: exit,
    out: [{ event_id: 'evt_1' }],
    err: '',
  });
});

it('are documented in the README, word for word', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const told = Object.values(EXIT_CODES).filter(({ code }) => code <= 10);
  for (const { code, meaning } of told) {
    expect(readme.replaceAll('`', '').replaceAll(/ +/g, ' ')).toContain(`| ${code} | ${meaning} |`);
  }
});
