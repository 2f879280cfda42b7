import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startWorkspace } from '../../support/workspace.ts';
import { until } from '../../support/until.ts';

const CLIENTS = 60;
const WEBHOOKS = 60;
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

it.each(['on', 'off'] as const)(
  'clients that go while their response is made leave no memory behind: HTTP thread %s',
  async (httpThread) => {
    const { server, api, workspaceId, stop } = await startWorkspace({ flags: { httpThread } });
    onTestFinished(() => stop());
    const metric = async (name: string) => {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      return text.split('\n').filter((line) => line.startsWith(name));
    };
    // A page of 80 KB: what is smaller takes no memory that is counted.
    for (let index = 0; index < WEBHOOKS; index += 1) {
      const url = `${server.url}/${'x'.repeat(900)}/${index}`;
      const webhook = { url, events: ['event.created' as const], workspace_id: workspaceId, secret: SECRET };
      await api.call('webhooks.create', { body: { ...webhook, filters: { event_types: ['never'] } } });
    }
    const { hostname, port } = new URL(server.url);
    const path = `/v1/webhooks?workspace_id=${workspaceId}&limit=100`;
    for (let index = 0; index < CLIENTS; index += 1) {
      // Its count is to be added up before the list is read: the request waits for a transaction.
      const body = { type: 'counted', payload: {} };
      const published = api.call('events.publish', { params: { id: workspaceId }, body });
      const client = connect(Number(port), hostname).on('error', () => {});
      await once(client, 'connect');
      client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\n\r\n`);
      for (let turn = 0; turn < index; turn += 1) await nextTurn();
      client.resetAndDestroy();
      await published;
    }
    await until('the memory to be free', async () => {
      const used = await metric('hubline_budget_used_bytes{budget="responses"}');
      return used.length === 1 && used[0]?.endsWith(' 0');
    });
    expect(await metric('hubline_http_requests_total{method="GET",route="/v1/webhooks"')).not.toEqual([]);
  },
);
