import { type Endpoint, type EndpointName, endpoints, HEADERS } from '@hubline/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Api } from './support/api.ts';
import { invite, newKey, type Place, startPlace } from './support/place.ts';
import { raw } from './support/raw-http.ts';

// The seed is printed with every counterexample. `HUBLINE_FUZZ_RUNS` makes the same test a long one.
const SEED = 20_261_120;
const RUNS = Number(process.env['HUBLINE_FUZZ_RUNS'] ?? 2_500);
const AT_ONCE = 10;

let place: Place & { stop(): Promise<void> };
let api: Api;
/** Ids of things that exist, by the name of the parameter that takes them. */
let ids: Record<string, string>;

beforeAll(async () => {
  place = await startPlace({ env: { HUBLINE_CREDENTIAL_CHECK: 'skip' } });
  ({ api } = place);
  const here = { params: { id: place.workspaceId } };
  const { event_id } = await api.call('events.publish', { ...here, body: { type: 't', payload: {} } });
  const { integration_id } = await api.call('integrations.connect', {
    body: { provider: 'custom', workspace_id: place.workspaceId, credentials: {} },
  });
  const { id: webhookId } = await api.call('webhooks.create', {
    body: { url: 'https://example.invalid', events: ['*'], workspace_id: place.workspaceId, secret: 's' },
  });
  await api.call('webhooks.update', { params: { webhookId }, body: { status: 'disabled' } });
  await api.call('events.publish', { ...here, body: { type: 't', payload: {} } });
  const deliveries = await api.call('deliveries.list', here);
  ids = {
    id: place.workspaceId,
    workspace_id: place.workspaceId,
    userId: (await invite(place, 'viewer')).user_id,
    keyId: (await newKey(place)).id,
    integrationId: integration_id,
    webhookId,
    deliveryId: deliveries.data[0]?.id ?? '',
    eventId: event_id,
  };
});
afterAll(() => place.stop());

const names = Object.keys(endpoints) as EndpointName[];

/** Text that software gets wrong. */
const nasty = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e',
  'null',
  '*',
  '__proto__',
  '../../etc/passwd',
  "' or 1=1 --",
  '%00',
  '%2e%2e%2f',
  'https://127.0.0.1',
  'http://[::ffff:7f00:1]',
  'a@example.com',
  '2026-02-30T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '1e999',
  '9'.repeat(400),
  '😀'.repeat(120),
  'x'.repeat(5_000),
  '=cmd',
  'whsec_',
  'owner',
);
const scalar = fc.oneof(
  nasty,
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(-0, Number.MAX_SAFE_INTEGER + 2, 1e308),
);
const json = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);

/** The fields that bodies of the API have, so that a mutation gets past the first check. */
const fields: Record<string, fc.Arbitrary<unknown>> = {
  name: fc.oneof(json, fc.constant('A name')),
  slug: fc.oneof(json, fc.stringMatching(/^[a-z0-9-]{2,50}$/)),
  plan: fc.oneof(json, fc.constant('team')),
  email: fc.oneof(json, fc.emailAddress()),
  role: fc.oneof(json, fc.constantFrom('admin', 'member', 'viewer')),
  token: json,
  password: json,
  scopes: fc.oneof(json, fc.array(fc.oneof(scalar, fc.constantFrom('*', 'events:read')), { maxLength: 4 })),
  expires_at: fc.oneof(
    json,
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  ),
  overlap_seconds: fc.oneof(json, fc.nat()),
  provider: fc.oneof(json, fc.constantFrom('custom', 'github')),
  type: fc.oneof(json, fc.constantFrom('custom', 'github', 'push')),
  workspace_id: fc.oneof({ weight: 1, arbitrary: json }, { weight: 4, arbitrary: fc.constant('$id') }),
  credentials: fc.oneof(
    json,
    fc.constant({}),
    fc.dictionary(
      fc.constantFrom(
        'token',
        'secret',
        'preset',
        'verification',
        'header',
        'notify_url',
        'repository',
        'domain',
        '__proto__',
      ),
      json,
    ),
  ),
  config: fc.oneof(
    json,
    fc.constant({}),
    fc.dictionary(fc.constantFrom('channel', 'notify_on', 'filters', 'constructor'), json),
  ),
  event_type: fc.oneof(json, fc.constant('event.created')),
  payload: fc.oneof(json, fc.dictionary(fc.string(), json, { maxKeys: 5 })),
  source: json,
  integration_id: fc.oneof(json, fc.constant('$integrationId')),
  occurred_at: fc.oneof(json, fc.constant('2026-01-01T00:00:00Z')),
  events: fc.oneof(
    json,
    fc.constant(['*']),
    fc.array(fc.record({ type: fc.constant('t'), payload: fc.dictionary(fc.string(), json) }), {
      maxLength: 3,
    }),
  ),
  url: fc.oneof(json, fc.webUrl(), fc.constant('https://example.com')),
  secret: fc.oneof(json, fc.constant('a secret')),
  filters: fc.oneof(
    json,
    fc.dictionary(fc.constantFrom('event_types', 'sources', 'resource_ids', 'severity'), json),
  ),
  description: json,
  status: fc.oneof(json, fc.constant('disabled')),
  since: fc.oneof(json, fc.constant('2026-01-01T00:00:00Z')),
  statuses: fc.oneof(json, fc.constant(['failed'])),
  rate_limit: fc.oneof(json, fc.record({ per_second: json })),
};
const body = fc.oneof(
  { weight: 8, arbitrary: fc.record(fields, { requiredKeys: [] }).map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: json.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  // What many of them take: the rest of the request is mutated still.
  {
    weight: 1,
    arbitrary: fc.constant('{"type": "push", "payload": {}, "name": "a name", "workspace_id": "$id"}'),
  },
);

interface Call {
  name: EndpointName;
  spoiltId: string | null;
  query: readonly (readonly [string, string])[];
  text: string;
  headers: Record<string, string>;
}

const call: fc.Arbitrary<Call> = fc.record({
  name: fc.constantFrom(...names),
  // Mostly things that exist: what is behind them is what matters.
  spoiltId: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: nasty }),
  query: fc.oneof(
    { weight: 3, arbitrary: fc.constant<[string, string][]>([]) },
    {
      weight: 1,
      arbitrary: fc.array(
        fc.tuple(
          fc.constantFrom(
            'limit',
            'cursor',
            'type',
            'source',
            'since',
            'until',
            'status',
            'format',
            'workspace_id',
            'window',
            'action',
            'actor',
            '__proto__',
          ),
          fc.oneof(nasty, fc.string(), fc.constant('1')),
        ),
        { maxLength: 3 },
      ),
    },
  ),
  text: body,
  headers: fc.record(
    {
      [HEADERS.idempotencyKey]: fc.constantFrom('a', 'b', '', 'x'.repeat(300), '"q"'),
      [HEADERS.lastEventId]: fc.constantFrom('x', 'evt_00000000000000000000000000'),
      Accept: fc.constantFrom('text/csv', 'text/html', '*/*', ''),
      'Content-Type': fc.constantFrom('application/json', 'text/plain', 'application/json; charset=x', ';;;'),
      'X-Forwarded-For': nasty.filter((text) => /^[\x20-\x7e]*$/.test(text)),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Record<string, string>>,
});

/** Of the fields of a body mostly those that the endpoint has: it refuses the others before it looks further. */
function fieldsOf({ body }: Endpoint, text: string): string {
  if (!(body instanceof z.ZodObject) || !text.startsWith('{') || text.length % 5 === 0) return text;
  const known = Object.entries(JSON.parse(text) as object).filter(([field]) =>
    Object.hasOwn(body.shape, field),
  );
  return JSON.stringify(Object.fromEntries(known));
}

// What ends the things that all other calls need, or the keys that make them.
const SPARED: ReadonlySet<EndpointName> = new Set([
  'workspaces.delete',
  'webhooks.delete',
  'integrations.disconnect',
  'members.remove',
  'apiKeys.revoke',
  'personalApiKeys.revoke',
  'webhooks.enable',
]);

it('answers every mutation of a request with success or a refusal in the shape of the contract, never with a 5xx', async () => {
  const found = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (calls) => {
      await Promise.all(
        calls.map(async ({ name, spoiltId, query, text, headers }) => {
          const row: Endpoint = endpoints[name];
          const spared = SPARED.has(name) && spoiltId === null;
          if (spared) return;
          const filled = fieldsOf(row, text).replaceAll(/"\$(\w+)"/g, (_, id: string) =>
            JSON.stringify(ids[id]),
          );
          const path = row.path.replaceAll(/\{(\w+)\}/g, (_, part: string) =>
            encodeURIComponent((spoiltId ?? ids[part] ?? 'x').toWellFormed()),
          );
          // A body that is not well-formed text cannot be sent by fetch, which replaces what is wrong.
          const answer = await api.request(
            row.method,
            `${path}?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString()}`,
            {
              ...(row.method === 'GET' || row.method === 'DELETE' ? {} : { text: filled }),
              headers,
            },
          );
          found.set(answer.status, (found.get(answer.status) ?? 0) + 1);
          expect(answer.status, `${name} ${answer.text}`).toBeLessThan(500);
        }),
      );
    }),
    { seed: SEED, numRuns: Math.ceil(RUNS / AT_ONCE) },
  );
  // The mutations are worth something: some of them are valid, and the refusals are of every kind.
  expect([...found.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 404, 422]));
});

it('answers any bytes with one whole response after the other, or closes the connection', async () => {
  const valid = `POST /v1/workspaces/${place.workspaceId}/events?x=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\nContent-Type: application/json\r\nContent-Length: 25\r\nConnection: close\r\n\r\n{"type":"t","payload":{}}`;
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ at: fc.nat(valid.length - 1), drop: fc.nat(8), put: fc.uint8Array({ maxLength: 6 }) }),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
      async (edits) => {
        let bytes = Buffer.from(valid);
        for (const { at, drop, put } of edits) {
          bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + drop)]);
        }
        const { answers } = await raw(place.server.url, bytes, { responses: 1, patienceMs: 50 });
        answered += answers.length;
        for (const { status, headers } of answers) {
          expect(status).toBeLessThan(500);
          expect(headers.get(HEADERS.requestId)).toMatch(/^req_/);
          expect(headers.get(HEADERS.rateLimitLimit)).toMatch(/^\d+$/);
        }
      },
    ),
    { seed: SEED, numRuns: Math.ceil(RUNS / 10) },
  );
  // Few of them are half a request.
  expect(answered).toBeGreaterThan(RUNS / 20);
});
