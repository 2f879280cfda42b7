import { type Endpoint, endpoints, HEADERS } from '@hubline/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../src/testing/testing.ts';

// No endpoint is deprecated yet, so this file deprecates one.
const row: Endpoint = endpoints['me.get'];
let server: TestServer;

beforeAll(async () => {
  row.deprecated = { since: '2027-01-31', sunset: '2027-07-31', instead: 'Use `GET /workspaces`.' };
  server = await startTestServer();
});
afterAll(async () => {
  delete row.deprecated;
  await server.stop();
});

const get = async (path: string, key: string) => {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${server.baseUrl}${path}`, { headers });
  return [response.status, response.headers.get(HEADERS.deprecation), response.headers.get(HEADERS.sunset)];
};

describe('an endpoint that is deprecated', () => {
  const told = ['@1801353600', 'Sat, 31 Jul 2027 00:00:00 GMT'];

  it('says since when, and when it may be gone, in successes and in refusals', async () => {
    expect(await get('/me', server.apiKey)).toEqual([200, ...told]);
    expect(await get('/me', 'hl_nobody')).toEqual([401, ...told]);
  });

  it('leaves all others as they were', async () => {
    expect(await get('/workspaces', server.apiKey)).toEqual([200, null, null]);
  });
});
