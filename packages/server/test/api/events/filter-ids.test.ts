import type { EndpointName } from '@hubline/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Api, CallInput } from '../support/api.ts';
import { furnish, type Furniture } from '../support/furnished.ts';
import { newStranger, newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';

let root: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;
let api: Api;
let theirs: Furniture & { actor: string };

beforeAll(async () => {
  root = await startWorkspace();
  ({ api } = root);
  workspace = await newWorkspace(root);
  const stranger = await newStranger(root);
  theirs = { ...(await furnish(stranger)), actor: stranger.userId };
});
afterAll(() => root.stop());

const here = () => ({ params: { id: workspace.workspaceId } });
const event = { type: 't', payload: {} };

/** Every place where an ID filters a request, or names the actor. */
const filters: [
  name: EndpointName,
  field: string,
  prefix: string,
  ofOthers: () => string,
  input: (id: string) => CallInput,
][] = [
  [
    'events.list',
    'integration_id',
    'int',
    () => theirs.integrationId,
    (id) => ({ ...here(), query: { integration_id: id } }),
  ],
  [
    'events.listAll',
    'integration_id',
    'int',
    () => theirs.integrationId,
    (id) => ({ query: { integration_id: id } }),
  ],
  ['events.listAll', 'workspace_id', 'ws', () => theirs.id, (id) => ({ query: { workspace_id: id } })],
  ['webhooks.list', 'workspace_id', 'ws', () => theirs.id, (id) => ({ query: { workspace_id: id } })],
  [
    'deliveries.list',
    'webhook_id',
    'whk',
    () => theirs.webhookId,
    (id) => ({ ...here(), query: { webhook_id: id } }),
  ],
  [
    'deliveries.list',
    'event_id',
    'evt',
    () => theirs.eventId,
    (id) => ({ ...here(), query: { event_id: id } }),
  ],
  ['auditLog.list', 'actor', 'usr', () => theirs.actor, (id) => ({ ...here(), query: { actor: id } })],
  [
    'auditLog.list',
    'actor',
    'usr',
    () => theirs.actor,
    (id) => ({ ...here(), query: { actor: id, format: 'csv' } }),
  ],
  [
    'deliveries.retryAll',
    'webhook_id',
    'whk',
    () => theirs.webhookId,
    (id) => ({ ...here(), body: { webhook_id: id } }),
  ],
  [
    'deliveries.retryAll',
    'event_id',
    'evt',
    () => theirs.eventId,
    (id) => ({ ...here(), body: { event_id: id } }),
  ],
  [
    'events.publish',
    'integration_id',
    'int',
    () => theirs.integrationId,
    (id) => ({ ...here(), body: { ...event, integration_id: id } }),
  ],
  [
    'events.publishBatch',
    'events[0].integration_id',
    'int',
    () => theirs.integrationId,
    (id) => ({ ...here(), body: { events: [{ ...event, integration_id: id }] } }),
  ],
  [
    'webhooks.create',
    'workspace_id',
    'ws',
    () => theirs.id,
    (id) => ({ body: { url: 'https://example.com', events: ['*'], secret: 's3cret', workspace_id: id } }),
  ],
];

describe('an ID in a query or a body', () => {
  it.each(filters)(
    'is 404 in %s as %s, whether malformed, unknown or of others',
    async (name, field, prefix, ofOthers, input) => {
      const refusals = await Promise.all(
        ['x', '', `${prefix}_`, `${prefix}_00000000000000000000000000`, ofOthers()].map((id) =>
          api.refused(name, 404, input(id)),
        ),
      );
      const messages = new Set(refusals.map(({ message }) => message));
      expect(messages.size, [...messages].join(' | ')).toBe(1);
      expect([...messages][0]).toMatch(
        new RegExp(
          `^No such (?:workspace|webhook|event|integration|user)\\. Check the ID \\(${prefix}_ and 26 characters`,
        ),
      );
      const named = refusals.map(({ details }) => details?.[0]?.field);
      expect(new Set(named)).toEqual(new Set([field]));
    },
  );

  it('that exists gives a list, even an empty one', async () => {
    const own = await furnish(await newWorkspace(root));
    const params = { id: own.id };
    const none = { limit: '100', until: '2000-01-01T00:00:00Z' };
    for (const query of [{ webhook_id: own.webhookId }, { event_id: own.eventId }]) {
      expect((await api.call('deliveries.list', { params, query })).data.length).toBeGreaterThan(0);
      expect((await api.call('deliveries.list', { params, query: { ...query, ...none } })).data).toEqual([]);
    }
    const { data } = await api.call('events.list', { params, query: { integration_id: own.integrationId } });
    expect(data).toEqual([]);
    const audit = { params, query: { actor: root.userId } };
    expect((await api.call('auditLog.list', audit)).data.length).toBeGreaterThan(0);
    const member = { params, query: { actor: own.userId } };
    expect((await api.call('auditLog.list', member)).data).toEqual([]);
  });

  it('still finds the history of a deleted webhook', async () => {
    const own = await furnish(await newWorkspace(root));
    const params = { id: own.id };
    await api.call('webhooks.delete', { params: own });
    const query = { webhook_id: own.webhookId };
    expect((await api.call('deliveries.list', { params, query })).data.length).toBeGreaterThan(0);
    const open = { params, query: { ...query, status: 'failed' } };
    expect((await api.call('deliveries.list', open)).data).toEqual([]);
    // There is no webhook left to send to.
    await api.refused('deliveries.retryAll', 404, { params, body: query });
  });
});
