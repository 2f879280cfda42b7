import { execFileSync } from 'node:child_process';
import { type IdKind, idPattern } from '@hubline/contract';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { Random } from '../../random.ts';
import { pickKnown, seedOf, weighted } from './choose.ts';
import { curlLine } from '../curl.ts';
import { rows } from './json-schemas.ts';
import { type FuzzRequest, makeRequest } from './make-request.ts';
import { spoilBytes, spoilValue } from './spoil.ts';
import { validValue } from './valid-value.ts';
import { Ids, type World } from '../world.ts';

const ID = '0'.padEnd(26, '1');
const WORLD: World = {
  url: 'http://127.0.0.1:1',
  marker: 'marker',
  keys: { owner: 'hl_o', bound: 'hl_b', viewer: 'hl_v', narrow: 'hl_n', stranger: 'hl_s', revoked: 'hl_r' },
  own: {
    workspace: `ws_${ID}`,
    integration: `int_${ID}`,
    webhook: `whk_${ID}`,
    event: `evt_${ID}`,
    user: `usr_${ID}`,
    apiKey: `key_${ID}`,
  },
  foreign: {},
};
const requestsOf = (seed: number, ids = new Ids(WORLD), count = 1_000) =>
  Array.from({ length: count }, (_, index) => makeRequest(seed, index, ids));
const inShort = ({ method, path, headers, body, raw }: FuzzRequest) =>
  JSON.stringify([method, path, headers, body?.toString('latin1'), raw?.toString('latin1')]);

describe('a run', () => {
  it('is the same for the same seed, and different for another', () => {
    const first = requestsOf(1).map(inShort);
    expect(requestsOf(1).map(inShort)).toEqual(first);
    const others = requestsOf(2).map(inShort);
    expect(others.filter((request, index) => request === first[index]).length).toBeLessThan(50);
  });

  it('differs only in IDs, whatever has been made by then', () => {
    const later = new Ids(WORLD);
    for (const made of ['a', 'b', 'c']) later.keep('webhook', `whk_${made.repeat(26)}`);
    const unnamed = (request: FuzzRequest) => inShort(request).replaceAll(/whk_[\da-z]{26}/g, 'whk');
    const [before, after] = [requestsOf(3), requestsOf(3, later)];
    // A mutation may hit the middle of an ID, which then is no longer replaced here, but keeps its length.
    const [whole, same] = [before, after].map((run) => run.filter(({ raw }) => raw === null).map(unnamed));
    expect(same?.filter((request, index) => request !== whole?.[index]).length).toBeLessThan(10);
    const sizes = (run: FuzzRequest[]) =>
      run.map(({ path, body, raw }) => [path, body, raw].map((part) => part?.length));
    expect(sizes(after)).toEqual(sizes(before));
    expect(after.map(inShort)).not.toEqual(before.map(inShort));
  });

  it('has every endpoint, every caller, bytes that are not a request, and mostly requests of the owner', () => {
    const requests = requestsOf(4);
    expect(new Set(requests.flatMap(({ row }) => row?.name ?? [])).size).toBe(rows.length);
    expect(new Set(requests.map(({ caller }) => caller)).size).toBe(8);
    const share = (test: (request: FuzzRequest) => boolean) => requests.filter(test).length / requests.length;
    expect(share(({ raw }) => raw !== null)).toBeGreaterThan(0.03);
    expect(share(({ caller }) => caller === 'owner')).toBeGreaterThan(0.5);
    expect(share(({ body }) => (body?.length ?? 0) > 50_000)).toBeLessThan(0.02);
  });

  it('names none of the things of the world in requests that destroy something', () => {
    const named = requestsOf(5, new Ids(WORLD), 3_000).filter(
      ({ row, path, raw }) => row?.name === 'webhooks.delete' && raw === null && path.includes(ID),
    );
    expect(named).toEqual([]);
  });
});

describe('the choices', () => {
  it('are as likely as their weights', () => {
    const random = new Random(1);
    const drawn = Array.from({ length: 4_000 }, () =>
      weighted(random, [
        [3, 'often'],
        [1, 'seldom'],
        [0, 'never'],
      ]),
    );
    const share = drawn.filter((value) => value === 'often').length / drawn.length;
    expect(share).toBeGreaterThan(0.7);
    expect(share).toBeLessThan(0.8);
    expect(drawn).not.toContain('never');
  });

  it('use one random number to choose a known item, or the alternative if there is none', () => {
    const random = new Random(1);
    expect(pickKnown(random, [], 'else')).toBe('else');
    expect(['a', 'b']).toContain(pickKnown(random, ['a', 'b'], 'else'));
    const again = new Random(1);
    again.next();
    again.next();
    expect(random.next()).toBe(again.next());
  });

  it('follow from seeds that differ for every request', () => {
    const seeds = [1, 2].flatMap((seed) => Array.from({ length: 10_000 }, (_, index) => seedOf(seed, index)));
    // Among 20,000 numbers of 32 bits, a few may be equal.
    expect(new Set(seeds).size).toBeGreaterThan(19_990);
  });
});

describe('a valid value', () => {
  it.each(rows.filter(({ body }) => body !== null))(
    'of $name is one that the contract accepts, mostly',
    (row) => {
      const schema = row.endpoint.body as z.ZodType;
      const making = { random: new Random(6), ids: new Ids(WORLD), destructive: false };
      const values = Array.from({ length: 60 }, () => validValue(row.body ?? {}, '', making));
      const accepted = values.filter((value) => schema.safeParse(value).success).length;
      // Some IDs are spoiled on purpose, and some rules between fields are in no schema.
      expect(accepted / values.length).toBeGreaterThan(0.2);
    },
  );
});

describe('a spoiled value', () => {
  it('is mostly another one, and leaves the one that it was made from unchanged', () => {
    const random = new Random(7);
    const value = { name: 'a', list: [1, { deep: true }], role: 'viewer' };
    const text = JSON.stringify(value);
    const spoiled = Array.from({ length: 500 }, () => JSON.stringify(spoilValue(value, random)));
    expect(JSON.stringify(value)).toBe(text);
    expect(spoiled.filter((each) => each === text).length).toBeLessThan(25);
    expect(spoiled.some((each) => each?.includes('__proto__'))).toBe(true);
  });

  it('of bytes is mostly another one', () => {
    const random = new Random(8);
    const bytes = Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const spoiled = Array.from({ length: 200 }, () => spoilBytes(bytes, random));
    expect(spoiled.filter((each) => each.equals(bytes)).length).toBeLessThan(20);
  });
});

describe('the line for a shell', () => {
  /** Parses the line as a shell does. */
  const wordsOf = (line: string): string[] =>
    execFileSync('bash', ['-c', `curl() { printf '%s\\0' "$@"; }; URL=http://hub KEY=k; ${line}`])
      .toString('latin1')
      .split('\0')
      .slice(0, -1);
  const request: FuzzRequest = {
    index: 1,
    row: null,
    caller: 'owner',
    method: 'POST',
    path: '/v1/me?a=%27',
    headers: { Authorization: 'Bearer hl_secret', 'X-Odd': "it's \\ $HOME `id`" },
    body: Buffer.from([0x7b, 0x27, 0x5c, 0xff, 0x0a, 0x7d]),
    raw: null,
  };

  it('repeats the request byte by byte, without the key', () => {
    const line = curlLine(request);
    expect(line).not.toContain('hl_secret');
    expect(wordsOf(line)).toEqual([
      '-i',
      '-X',
      'POST',
      'http://hub/v1/me?a=%27',
      '-H',
      'Authorization: Bearer k',
      '-H',
      "X-Odd: it's \\ $HOME `id`",
      '--data-binary',
      request.body?.toString('latin1'),
    ]);
  });

  it('sends bytes that are not a request to the socket', () => {
    const raw = Buffer.from('GET / HTTP/1.1\r\nAuthorization: Bearer hl_secret\r\n\0\r\n', 'latin1');
    expect(curlLine({ ...request, raw })).toBe(
      `printf $'GET / HTTP/1.1\\x0d\\x0aAuthorization: Bearer $KEY\\x0d\\x0a\\x00\\x0d\\x0a' | nc "$HOST" "$PORT"`,
    );
  });
});

it('the IDs of the world have the form of IDs', () => {
  for (const [kind, id] of Object.entries(WORLD.own)) expect(id).toMatch(idPattern(kind as IdKind));
});
