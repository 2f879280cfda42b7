import { expect, it } from 'vitest';
import { fakeApi, WORKSPACE } from '../../test/fake-api.ts';
import { runCli } from '../../test/run-cli.ts';

const create = [
  'webhook',
  'create',
  '--url=https://x.test',
  '--event=user.invited',
  '--event=event.created',
  '--secret-file=-',
];
const update = ['webhook', 'update', 'whk_1'];

it.each([
  [create, { events: ['user.invited', 'event.created'], workspace_id: WORKSPACE, secret: 's' }],
  [
    [...create, '--event-type=push', '--event-type=release', '--source=github'],
    { filters: { event_types: ['push', 'release'], sources: ['github'] } },
  ],
  [[...create, '--rate-limit=5'], { rate_limit: { per_second: 5 } }],
  [[...update, '--rate-limit=0'], { rate_limit: null }],
  [[...update, '--no-filters'], { filters: null }],
  [[...update, '--event=*', '--resource=int_1'], { events: ['*'], filters: { resource_ids: ['int_1'] } }],
  [['webhook', 'disable', 'whk_1'], { status: 'disabled' }],
  [['webhook', 'rotate-secret', 'whk_1', '--overlap=24h'], { overlap_seconds: 86_400 }],
  [['webhook', 'ping', 'whk_1', '--event-type=user.invited'], { event_type: 'user.invited' }],
])('%j sends %j', async (line, body) => {
  const api = await fakeApi(() => ({ body: { id: 'whk_1' } }));
  expect(await runCli([...line, '-q'], { env: api.env, stdin: 's\n' })).toEqual({
    code: 0,
    out: 'whk_1\n',
    err: '',
  });
  expect(api.received[0]?.body).toMatchObject(body);
});

it('an update that names one field sends that field only', async () => {
  const api = await fakeApi(() => ({ body: { id: 'whk_1' } }));
  await runCli([...update, '--description=mine'], { env: api.env });
  expect(api.received[0]?.body).toEqual({ description: 'mine' });
});

it.each([
  [
    update,
    'There is nothing to change. Add one of: --url, --event, --event-type, --rate-limit, --description.',
  ],
  [[...update, '--no-filters', '--source=github'], '--no-filters removes what the other flags would set.'],
  [[...create, '--event=push'], '--event takes *, event.created, automation.completed'],
])('%j is refused before anything is sent', async (line, message) => {
  const api = await fakeApi(() => ({ body: {} }));
  const { code, err } = await runCli(line, { env: api.env, stdin: 's' });
  expect({ code, requests: api.received.length }).toEqual({ code: 2, requests: 0 });
  expect(err.replaceAll('\n', ' ')).toContain(message);
});
