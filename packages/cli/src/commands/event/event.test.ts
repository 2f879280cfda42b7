import { expect, it } from 'vitest';
import { realServer } from '../../test/real-server.ts';

const { cli, json } = await realServer();

it('publishes one event or many, and finds them by type, source and time', async () => {
  const payload = '{"version":"1.4.0","big":12345678901234567890}';
  const { event_id: id = '' } = await json('event', 'publish', '--type=deploy', `--payload=${payload}`);
  const stdin = '{"type":"push","source":"ci","payload":{}}\n{"type":"release","source":"ci","payload":{}}\n';
  const batch = await cli(['event', 'publish', '--batch=-', '-q'], { stdin });
  expect(batch.out.trimEnd().split('\n')).toHaveLength(2);

  const types = async (...line: string[]) =>
    (await cli(['event', 'list', ...line, '--jq=map(.type) | sort | join(" ")'])).out.trimEnd();
  expect(await types()).toBe('deploy push release');
  expect(await types('--source=ci')).toBe('push release');
  expect(await types('--type=deploy')).toBe('deploy');
  expect(await types('--since=1h')).toBe('deploy push release');
  expect(await types('--until=2020-01-01')).toBe('');

  // Numbers keep the digits of the sender.
  expect((await cli(['event', 'get', id, '--json'])).out).toContain('"big":12345678901234567890');
  const { out } = await cli(['event', 'export', '--format=csv', '--type=push']);
  expect(out).toMatch(/^event_id,type,source,.*\r\nevt_\w+,push,ci,/);
});

it('reads JSON with the byte order mark of a program of Windows', async () => {
  const one = ['event', 'publish', '--type=marked', '--payload=-'];
  expect(await cli(one, { stdin: '\ufeff{"a":1}\r\n' })).toMatchObject({ code: 0 });
  const stdin = '\ufeff[{"type":"marked","payload":{}}]\r\n';
  expect(await cli(['event', 'publish', '--batch=-'], { stdin })).toMatchObject({ code: 0 });
  expect(await json<unknown[]>('event', 'list', '--type=marked')).toHaveLength(2);
});

it('stores all of a batch, or nothing', async () => {
  const before = await json<unknown[]>('event', 'list', '--all');
  const stdin = '{"type":"good","payload":{}}\n{"type":"","payload":{}}\n';
  const { code, err } = await cli(['event', 'publish', '--batch=-'], { stdin });
  expect({ code, err }).toEqual({ code: 6, err: expect.stringContaining('events[1].type') });
  expect(await json<unknown[]>('event', 'list', '--all')).toEqual(before);
});

it('names the line of a batch that is not JSON, and refuses flags that are for one event', async () => {
  const publish = (stdin: string, ...flags: string[]) =>
    cli(['event', 'publish', '--batch=-', ...flags], { stdin });
  expect((await publish('\n\n{"type":')).err).toContain('--batch, line 3, is not JSON');
  expect(await publish('{"type":"a","payload":{}}\n', '--source=ci', '--payload={}')).toEqual({
    code: 2,
    out: '',
    err: 'Error: --payload and --source cannot be combined with --batch.\nPut the values into the events of the batch.\n',
  });
});

it('says where to look for an event that does not exist', async () => {
  const { code, err } = await cli(['event', 'get', 'evt_06f8xw2b3c4d5e6f7g8h9j0kmn']);
  expect({ code, err }).toEqual({
    code: 4,
    err: expect.stringMatching(/\nList them: hubline event list\n$/),
  });
});
