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
  [['webhook', 'rotate-secret', 'whk_1', '--overlap=24h', '--yes'], { overlap_seconds: 86_400 }],
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

it('asks on a terminal for all it needs, and makes a secret if there is none', async () => {
  const api = await fakeApi(({ method }) =>
    method === 'POST' ? { status: 201, body: { id: 'whk_1', url: 'https://x.test' } } : undefined,
  );
  const asked = (secret: string) =>
    runCli(['webhook', 'create', '--color=never'], {
      env: api.env,
      tty: true,
      answers: ['https://x.test', 'user.invited', secret],
    });
  expect((await asked('')).out).toMatch(/Its secret is shown only now:\n {2}secret {2}whsec_/);
  expect(await asked('mine')).toMatchObject({ code: 0, out: '✓ Created webhook whk_1 for https://x.test\n' });
  expect(api.received.map(({ body }) => body)).toMatchObject([
    { events: ['user.invited'], secret: expect.stringMatching(/^whsec_/) as string },
    { events: ['user.invited'], secret: 'mine' },
  ]);
});

it('takes an answer under the rules of its flag: a duration is a time', async () => {
  const api = await fakeApi(() => ({ body: { id: 'rec_1' } }));
  const line = ['webhook', 'recover', 'whk_1', '--yes'];
  const now = Date.parse('2026-06-15T12:00:00Z');
  const { code } = await runCli(line, { env: api.env, tty: true, answers: ['6h'], now });
  expect({ code, body: api.received[0]?.body }).toMatchObject({
    code: 0,
    body: { since: '2026-06-15T06:00:00.000Z' },
  });
});

it('says of a trigger that it does not fire yet wherever it is offered', async () => {
  for (const line of [
    ['webhook', 'create', '--help'],
    ['webhook', 'update', '--help'],
  ]) {
    const { out } = await runCli(line);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(/--event.*automation\.completed does not fire yet/);
  }
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
