import { expect, it } from 'vitest';
import { realServer } from '../../test/real-server.ts';

const { cli, json } = await realServer();

const id = async (kind: string, stdin: string): Promise<string> => {
  const { out } = await cli([kind, 'create', '-f', '-', '--json=id', '--jq=.id'], { stdin });
  return out.trim();
};
const TEXT = '{"name": "Deploys", "body": {"text": "{{ event.type }} in {{ workspace.name }}"}}';
const RULE = 'name: All\nnotify_on: [event.created]\ndestinations: [{ kind: in_app, roles: [owner] }]\n';

it('a template is previewed with an event, keeps its versions, and reports an error with its position', async () => {
  const { event_id: event = '' } = await json('event', 'publish', '--type=deploy');
  const template = await id('template', TEXT);
  expect((await cli(['template', 'preview', template, `--event=${event}`])).out).toContain('deploy in ');
  await cli(['template', 'update', template, '-f', '-'], { stdin: '{"name": "Releases"}' });
  const { name } = await json('template', 'get', template, '--at-version=1');
  expect(name).toBe('Deploys');
  const stdin = TEXT.replace('}} in', '| nonsense }} in');
  expect(await cli(['template', 'create', '-f', '-'], { stdin })).toMatchObject({
    code: 6,
    out: '',
    err: expect.stringMatching(/body\.text.*line 1, column \d+/) as string,
  });
  expect(await cli(['template', 'delete', template, '--yes', '-q'])).toMatchObject({ code: 0 });
  expect((await cli(['template', 'get', template])).code).toBe(4);
});

it('a rule is tested, switched off and on, and takes one change at a time', async () => {
  const rule = await id('rule', RULE);
  expect(await json('rule', 'test', rule)).toMatchObject({ matched: true });
  const enabled = ['rule', 'list', '--jq=.[].enabled'];
  await cli(['rule', 'update', rule, '--disable']);
  expect((await cli(enabled)).out).toBe('false\n');
  expect(await cli(['rule', 'update', rule, '--disable', '--enable'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('Give either --file, --enable or --disable.') as string,
  });
  await cli(['rule', 'update', rule, '--enable']);
  expect((await cli(enabled)).out).toBe('true\n');
  const stdin = RULE.replace('in_app', 'pigeon');
  expect(await cli(['rule', 'create', '-f', '-'], { stdin })).toMatchObject({
    code: 6,
    err: expect.stringContaining('destinations[0]') as string,
  });
});

it('notifications are listed, counted and read, one by one and all at once', async () => {
  for (const type of ['one', 'two']) await cli(['event', 'publish', `--type=${type}`]);
  const unread = async () => Number((await cli(['notification', 'count', '-q'])).out);
  await expect.poll(unread, { timeout: 60_000 }).toBe(2);
  const [newest] = await json<{ id: string; title: string }[]>('notification', 'list', '--unread');
  const { out } = await cli(['notification', 'read', newest?.id ?? ''], { tty: true });
  expect(out).toContain(newest?.title);
  expect(await unread()).toBe(1);
  expect((await cli(['notification', 'count'], { tty: true, columns: 100 })).out).toBe(
    '1 unread notification.\nThey are not sent by email: the operator of this server has to set HUBLINE_SMTP_URL.\n',
  );
  const log = await json<{ status: string; channel: string }[]>('rule', 'log', '--status=sent');
  expect(log).toHaveLength(2);
  await cli(['notification', 'read-all']);
  expect(await unread()).toBe(0);
  expect((await cli(['notification', 'list', '--unread'])).out).toBe('');
  expect((await cli(['notification', 'read', 'ntf_06f8xw2b3c4d5e6f7g8h9j0kmn'])).code).toBe(4);
});

it('a test of a rule says on a terminal whether it matches, why, and what would go where', async () => {
  const { event_id: event = '' } = await json(
    'event',
    'publish',
    '--type=deploy',
    '--payload={"env":"prod"}',
  );
  const conditions = (value: string) => `conditions: { field: event.payload.env, op: eq, value: ${value} }\n`;
  const test = async (rule: string) =>
    (await cli(['rule', 'test', rule, `--event=${event}`, '--color=never'], { tty: true })).out;
  expect(await test(await id('rule', RULE + conditions('prod')))).toMatch(
    new RegExp(
      `^${event} matches\\. Nothing was sent\\.\n  yes event\\.payload\\.env eq: found "prod"\nto +in_app owner@example\\.com\n\n.*\nenv: prod`,
    ),
  );
  const other = await test(await id('rule', RULE.replace('All', 'Other') + conditions('test')));
  expect(other).toContain(
    `${event} does not match: conditions. Nothing was sent.\n  no  event.payload.env eq: found "prod"\n`,
  );
  expect(other).not.toContain('{');
});
