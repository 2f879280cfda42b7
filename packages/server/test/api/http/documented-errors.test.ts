import { type Endpoint, type EndpointName, endpoints, HEADERS, LIMITS } from '@hubline/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadResponse, Api, CallInput } from '../support/api.ts';
import { documentedStatuses } from '../support/documented.ts';
import { newKey, type TestWorkspace, startWorkspace, unique } from '../support/workspace.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { type Prepare, replaceIds, uncheckedEnv, validCalls } from '../support/valid-calls.ts';

// `Api.send` fails on every response that the document does not list. This file checks the reverse: each operation can
// give every error that the document lists.

let receiver: Receiver;
let workspace: TestWorkspace & { stop(): Promise<void> };
/** A server with a limit of a few requests per minute. */
let narrow: TestWorkspace & { stop(): Promise<void> };
let calls: Readonly<Record<EndpointName, Prepare>>;
/** A workspace key that lacks the scope of every endpoint in this file. */
let powerless: Api;
const used = unique('used-key');

beforeAll(async () => {
  receiver = await startReceiver();
  calls = validCalls(receiver.url);
  workspace = await startWorkspace({ env: uncheckedEnv(receiver.url) });
  narrow = await startWorkspace({ flags: { rateLimit: 1 } });
  powerless = workspace.api.as((await newKey(workspace, { scopes: ['audit_log:write'] })).key);
  await workspace.api.call('workspaces.create', {
    body: { name: 'First', slug: unique('first') },
    headers: { [HEADERS.idempotencyKey]: used },
  });
});
afterAll(async () => {
  await workspace.stop();
  await narrow.stop();
  await receiver.stop();
});

/** Statuses that other files test: request-bodies.test.ts, idempotency.test.ts and the tests of faults. */
const ELSEWHERE = new Set([408, 500, 503]);

/** Spoils a valid call in every way that its row implies. */
function spoiled(name: EndpointName, row: Endpoint, input: CallInput): Promise<ReadResponse>[] {
  const send = (change: Partial<CallInput>, api: Api = workspace.api) =>
    api.send(name, { ...input, ...change });
  const taking = row.body !== undefined || row.bodies !== undefined;
  const limit = row.bodies ? LIMITS.ingestBodyBytes : LIMITS.bodyBytes;
  return [
    send({ query: { ...input.query, nonsense: '1' } }),
    send({}, workspace.api.as(row.access.kind === 'public' ? null : 'hl_nonsense')),
    send({}, powerless),
    workspace.api.send(name, replaceIds(input)),
    send({ headers: { [HEADERS.idempotencyKey]: used } }),
    ...(taking
      ? [
          send({ headers: { 'Content-Encoding': 'gzip' } }),
          send({ text: JSON.stringify({ padding: 'x'.repeat(limit) }) }),
        ]
      : []),
  ];
}

/** Exceeds the limit of requests per minute. Returns the status of the refusal. */
async function beyondTheLimit(name: EndpointName, input: CallInput): Promise<number> {
  const elsewhere = replaceIds(input);
  for (let count = 0; count < 100; count += 1) {
    const { status } = await narrow.api.send(name, elsewhere);
    if (status === 429) return status;
  }
  return 200;
}

describe.each(Object.keys(endpoints) as EndpointName[])('%s', (name) => {
  it('gives every error status that the document has for it', async () => {
    const row: Endpoint = endpoints[name];
    const own = new Set(Object.keys(row.errors ?? {}));
    const input = await calls[name](workspace);
    const responses = await Promise.all(spoiled(name, row, input));
    const seen = new Set(responses.map(({ status }) => status));
    seen.add(await beyondTheLimit(name, input));
    const wanted = documentedStatuses(name).filter((status) => status >= 400 && !ELSEWHERE.has(status));
    expect(wanted.filter((status) => !seen.has(status) && !explained(status, own))).toEqual([]);
  });
});

/** Statuses that the row's own reasons explain (own-errors.test.ts), or that take two requests at once (idempotency.test.ts). */
function explained(status: number, own: ReadonlySet<string>): boolean {
  if (status === 409) return true;
  const code = { 401: 'unauthorized', 403: 'forbidden', 404: 'not_found', 400: 'invalid_request' }[status];
  return code !== undefined && own.has(code);
}
