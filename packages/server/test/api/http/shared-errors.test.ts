import { HEADERS } from '@hubline/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { StorageUnavailable } from '../../../src/domain/faults/storage-unavailable.ts';
import { toErrorResponse } from '../../../src/http/response/errors.ts';
import type { ReadResponse } from '../support/api.ts';
import { sharedErrors } from '../support/documented.ts';
import { everybodyKnows, newKey, type TestWorkspace, startWorkspace, unique } from '../support/workspace.ts';
import { raw } from '../support/raw-http.ts';

// The document shows an example of each error that operations share. This file checks that the server sends the same.

let workspace: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace.stop());

const NOWHERE = { params: { id: 'ws_00000000000000000000000000' } };
const requestWith = (headers: Record<string, string> = {}) => ({
  body: { name: 'First', slug: unique('first') },
  headers,
});

/** The response to an error that is thrown inside the server. */
function thrown(error: Error): Provoked {
  const { body } = toErrorResponse(error, { id: 'req', flat: false }, { ...console, error: () => {} });
  return { json: JSON.parse(body) as unknown };
}

type Provoked = Pick<ReadResponse, 'json'> | undefined;

/** Provokes each shared error. `StillRunning` is missing: it takes a request that runs for half a minute. */
const scenarios: Readonly<Record<string, () => Promise<Provoked> | Provoked>> = {
  InvalidRequest: () => workspace.api.send('workspaces.list', { query: { limit: '0' } }),
  Unauthorized: async () => {
    const { id, key } = await newKey(workspace);
    await workspace.api.call('apiKeys.revoke', { params: { id: workspace.workspaceId, keyId: id } });
    await everybodyKnows();
    return workspace.api.as(key).send('me.get');
  },
  Forbidden: async () => {
    const { key } = await newKey(workspace, { scopes: ['events:read', 'events:write'] });
    const params = { id: workspace.workspaceId };
    return workspace.api.as(key).send('members.invite', { params, body: { email: 'a@example.com' } });
  },
  NotFound: () => workspace.api.send('workspaces.get', NOWHERE),
  NotFoundForWrite: () => workspace.api.send('workspaces.update', { ...NOWHERE, body: { name: 'New' } }),
  BodyTooSlow: async () => {
    const slow = await startWorkspace({ uploads: { windowMs: 200, bytesPerSecond: 0, deadlineMs: 300 } });
    try {
      const head = `POST /v1/workspaces HTTP/1.1\nHost: x\nAuthorization: Bearer ${slow.api.key}`;
      const { responses } = await raw(slow.server.url, `${head}\nContent-Length: 100\n\n`, { responses: 1 });
      return responses[0];
    } finally {
      await slow.stop();
    }
  },
  BodyTooLarge: () => workspace.api.send('workspaces.create', { text: ' '.repeat(1_100_000) }),
  UnsupportedBody: () => workspace.api.send('workspaces.create', requestWith({ 'Content-Encoding': 'gzip' })),
  KeyReused: async () => {
    const headers = { [HEADERS.idempotencyKey]: unique('used-key') };
    await workspace.api.call('workspaces.create', requestWith(headers));
    return workspace.api.send('workspaces.create', requestWith(headers));
  },
  RateLimited: async () => {
    const narrow = await startWorkspace({ flags: { rateLimit: 1 } });
    try {
      // Two processes may let one through each.
      await narrow.api.send('me.get');
      await narrow.api.send('me.get');
      return await narrow.api.send('me.get');
    } finally {
      await narrow.stop();
    }
  },
  InternalError: () => thrown(new Error('a bug')),
  Unavailable: () => thrown(new StorageUnavailable({ cause: 'a full disk' })),
};

/** An error without the parts that differ from case to case. */
const wording = (error: object) =>
  JSON.parse(JSON.stringify({ ...error, request_id: undefined }).replaceAll(/\d+/g, '<n>')) as unknown;

it.each(sharedErrors.filter(([name]) => name !== 'StillRunning'))('%s', async (name, documented) => {
  const { json } = (await scenarios[name]?.()) ?? {};
  expect(wording((json as { error: object }).error)).toEqual(wording(documented));
});
