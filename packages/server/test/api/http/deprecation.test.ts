import { type Endpoint, endpoints, HEADERS } from '@hubline/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Place, startPlace } from '../support/place.ts';

// No endpoint is deprecated yet, so this file deprecates one.
const row: Endpoint = endpoints['me.get'];
let place: Place & { stop(): Promise<void> };

beforeAll(async () => {
  row.deprecated = { since: '2027-01-31', sunset: '2027-07-31', instead: 'Use `GET /workspaces`.' };
  place = await startPlace();
});
afterAll(async () => {
  delete row.deprecated;
  await place.stop();
});

const get = async (path: string, key: string) => {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${place.server.baseUrl}${path}`, { headers });
  return [answer.status, answer.headers.get(HEADERS.deprecation), answer.headers.get(HEADERS.sunset)];
};

describe('an endpoint that is deprecated', () => {
  const told = ['@1801353600', 'Sat, 31 Jul 2027 00:00:00 GMT'];

  it('says since when, and when it may be gone, with what it answers and what it refuses', async () => {
    expect(await get('/me', place.server.apiKey)).toEqual([200, ...told]);
    expect(await get('/me', 'hl_nobody')).toEqual([401, ...told]);
  });

  it('leaves all others as they were', async () => {
    expect(await get('/workspaces', place.server.apiKey)).toEqual([200, null, null]);
  });
});
