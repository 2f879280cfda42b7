import { createHmac } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import { startReceiver } from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';

type Options = Parameters<typeof startWorkspace>[0];

async function startWith(options: Options = {}): Promise<TestWorkspace> {
  const workspace = await startWorkspace(options);
  onTestFinished(() => workspace.stop());
  return workspace;
}

/** Connects a custom integration. Returns a function that sends signed calls to it. */
async function connect({ api, workspaceId }: TestWorkspace): Promise<(body: string) => Promise<Response>> {
  const { ingest } = await api.call('integrations.connect', {
    body: { provider: 'custom', workspace_id: workspaceId, credentials: {} },
  });
  return (body) => {
    const digest = createHmac('sha256', ingest.secret ?? '').update(body);
    return fetch(ingest.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Hub-Signature-256': `sha256=${digest.digest('hex')}`,
      },
      body,
    });
  };
}

/** JSON with so many values that its value would take more than 16 MiB. */
const manyValues = (id: number) =>
  `{"id": ${id}, "name": "first", "items": [${'{"a":1},'.repeat(300_000)}{}]}`;

describe('a call of 2.4 MB with 600,000 values', () => {
  it('is stored and delivered as it came, and conditions see its first short members', async () => {
    const workspace = await startWith();
    const call = await connect(workspace);
    await using receiver = await startReceiver();
    for (const [path, value] of [
      ['named', 'first'],
      ['other', 'second'],
    ]) {
      const conditions = { all: [{ field: 'event.payload.name', op: 'eq', value }] };
      await workspace.api.call('webhooks.create', {
        body: {
          workspace_id: workspace.workspaceId,
          url: `${receiver.url}/${path}`,
          events: ['event.created'],
          secret: 's3cret',
          filters: { conditions },
        },
      });
    }
    const body = manyValues(1);
    expect((await call(body)).status).toBe(202);
    const again = await call(body);
    expect([again.status, await again.json()]).toMatchObject([200, { status: 'duplicate' }]);
    const { data } = await workspace.api.call('events.list', { params: { id: workspace.workspaceId } });
    expect(data).toHaveLength(1);
    const event = `/workspaces/${workspace.workspaceId}/events/${data[0]?.event_id}`;
    const { text } = await workspace.api.request('GET', event);
    expect(text.includes(`"payload":${body},`)).toBe(true);
    await until('the delivery', () => receiver.calls.length > 0);
    expect(receiver.calls[0]?.body.includes(`"payload":${body}}`)).toBe(true);
    expect(receiver.calls.map(({ url }) => url)).toEqual(['/named']);
  });
});

describe('if the thread for long calls dies', () => {
  const callProgram = new URL('dying-call-thread.process.ts', import.meta.url);

  it('a long call is a 503 that asks to repeat it, stores nothing, and short calls go on', async () => {
    const workspace = await startWith({ callProgram });
    const call = await connect(workspace);
    for (const id of [1, 2]) {
      const refused = await call(manyValues(id));
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await refused.json()).toMatchObject({ error: { code: 'service_unavailable' } });
    }
    expect((await call('{"id":3}')).status).toBe(202);
    const { data } = await workspace.api.call('events.list', { params: { id: workspace.workspaceId } });
    expect(data).toMatchObject([{ payload: { id: 3 } }]);
  });
});
