import { expect, it } from 'vitest';
import { errorResponse, fakeApi } from '../test/fake-api.ts';
import { runCli } from '../test/run-cli.ts';

const event = (n: number) => ({
  event_id: `evt_${n}`,
  type: 'push',
  source: 'github',
  created_at: '2026-06-15T12:00:00.000Z',
  workspace_id: 'ws_1',
  integration_id: 'int_1',
  summary: { occurred_at: null },
  payload: {},
});

it.each([
  [503, 'service_unavailable', ['unknown', 'github', 'github'], 2],
  [404, 'not_found', ['unknown', 'unknown', 'unknown'], 1],
])(
  'after a %d %s for the integration, its events have the providers %j',
  async (status, code, providers, requests) => {
    const asked: string[] = [];
    const api = await fakeApi(({ path }) => {
      if (path.endsWith('/stream')) {
        const messages = [1, 2, 3].map((n) => `id: evt_${n}\ndata: ${JSON.stringify(event(n))}\n\n`);
        return { headers: { 'content-type': 'text/event-stream' }, text: messages.join('') };
      }
      asked.push(path);
      return asked.length === 1 ? errorResponse(status, code) : { body: { provider: 'github' } };
    });
    const { out } = await runCli(
      ['listen', '--exec=cat', '--limit=3', '--show=body', '--json=event_id,request_body', '--retries=0'],
      { env: api.env },
    );
    const sent = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event_id: string; request_body: string })
      .toSorted((a, b) => a.event_id.localeCompare(b.event_id))
      .map(({ request_body: body }) => JSON.parse(body) as { data: { integration_type: string } });
    expect(sent.map(({ data }) => data.integration_type)).toEqual(providers);
    expect(asked).toEqual(Array.from({ length: requests }, () => '/integrations/int_1'));
  },
);
