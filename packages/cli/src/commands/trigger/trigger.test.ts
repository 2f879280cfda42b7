import { TRIGGERS } from '@hubline/contract/constants';
import { startTestServer } from '@hubline/server/testing';
import { unwrap } from '@hubline/webhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { samples } from '../../samples/samples.ts';
import { fakeApi } from '../../test/fake-api.ts';
import { startReceiver } from '../../test/receiver.ts';
import { runCli, temporaryDirectory } from '../../test/run-cli.ts';

describe('trigger', () => {
  it.each(samples.map(({ type, source }) => [type, source]))(
    'publishes the sample of %s from %s',
    async (type, source) => {
      const api = await fakeApi(() => ({ status: 201, body: { event_id: 'evt_1' } }));
      const line = ['trigger', type, `--source=${source}`, '--set', 'payload.extra={"n":1}'];
      expect(await runCli(line, { env: api.env })).toMatchObject({
        code: 0,
        out: `✓ Published ${type} (evt_1)\n`,
      });
      const [{ body } = { body: undefined }] = api.received;
      expect(body).toMatchObject({ type, source, payload: { extra: { n: 1 } } });
      expect(JSON.stringify(body).length).toBeGreaterThan(500);
    },
  );

  it('publishes any data, as often as it is told', async () => {
    const api = await fakeApi(() => ({ status: 201, body: { event_id: 'evt_1' } }));
    const line = [
      'trigger',
      'deploy',
      '--data=-',
      '--set=payload.tags.0=x',
      '--times=3',
      '--rate=1000/s',
      '-q',
    ];
    expect(await runCli(line, { env: api.env, stdin: '{"version":"1"}' })).toMatchObject({
      code: 0,
      out: 'evt_1\nevt_1\nevt_1\n',
    });
    expect(api.received.map(({ body }) => body)).toEqual(
      Array.from({ length: 3 }, () => ({
        type: 'deploy',
        source: 'api',
        payload: { version: '1', tags: { 0: 'x' } },
      })),
    );
    expect(new Set(api.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
  });

  it.each(['event.created', 'push', 'automation.completed', 'integration.connected', 'user.invited'])(
    'sends a genuine %s without a server',
    async (type) => {
      const { calls, url } = await startReceiver();
      const env = { HUBLINE_CONFIG_DIR: await temporaryDirectory() };
      const secret = (await runCli(['listen', '--print-secret'], { env })).out.trim();
      expect(await runCli(['trigger', type, `--to=${url}`, '--set=data.note=x'], { env })).toMatchObject({
        code: 0,
        err: '',
      });
      const [{ body, headers } = { body: '', headers: {} }] = calls;
      expect(await unwrap({ body, headers }, { secret })).toMatchObject({
        type: type === 'push' ? 'event.created' : type,
        data: { note: 'x' },
      });
    },
  );

  it('ends with exit code 9 when the receiver refuses', async () => {
    const { calls, url } = await startReceiver(() => 500);
    const line = ['trigger', 'push', `--to=${url}`, '--retry=spec', '--retry-speed=100000'];
    expect(await runCli(line)).toMatchObject({ code: 9 });
    expect(calls).toHaveLength(5);
  });

  it.each([
    [['trigger', 'nothing'], 'There is no sample of "nothing".'],
    [['trigger', 'user.invited'], 'user.invited is a trigger that only the server makes.'],
    [['trigger', 'push', '--set', 'x'], '--set takes path=value'],
    [['trigger', 'push', '--rate', 'fast'], '--rate takes a rate'],
    [['trigger', 'push', '--data', '[]'], '--data must be a JSON object'],
    [['trigger', 'push', '--to', 'http://example.com'], 'is not this machine'],
    [['trigger', 'push', '--data=@-', '--secret-file=-'], '--data and --secret-file cannot both read stdin.'],
    [['trigger', 'push', '--show=body', '-H', 'X-A: 1'], '--header and --show cannot be used without --to.'],
    [['trigger', 'list', 'nothing'], 'There is no such sample.'],
  ])('%j is refused before anything is sent', async (line, message) => {
    const api = await fakeApi(() => ({ status: 201, body: { event_id: 'evt_1' } }));
    const { code, err } = await runCli(line, { env: api.env });
    expect({ code, requests: api.received.length }).toEqual({ code: 2, requests: 0 });
    expect(err).toContain(message);
  });

  it('lists its samples, and prints them', async () => {
    const { out } = await runCli(['trigger', 'list', '--print', '--json=type,source,payload']);
    const listed = JSON.parse(out) as { type: string; payload: object }[];
    expect(listed).toHaveLength(samples.length + TRIGGERS.length - 1);
    for (const { payload } of listed) expect(Object.keys(payload)).not.toHaveLength(0);
    const push = await runCli([
      'trigger',
      'list',
      'push',
      '--source=github',
      '--print',
      '--jq=.[0].payload.ref',
    ]);
    expect(push.code).toBe(0);
    const one = await runCli(['trigger', 'push', '--print', '--set=payload.ref=mine', '--jq=.payload.ref']);
    expect(one).toEqual({ code: 0, out: 'mine\n', err: '' });
  });

  it.each([[['--show=body,headers']], [['--show', 'body', '--show', 'headers']]])(
    'shows the parts that %j names',
    async (show) => {
      const receiver = await startReceiver();
      const { out } = await runCli(['trigger', 'push', `--to=${receiver.url}`, ...show, '--json'], {
        env: { HUBLINE_CONFIG_DIR: await temporaryDirectory() },
      });
      expect(JSON.parse(out)).toMatchObject({
        request_body: receiver.calls[0]?.body,
        request_headers: { 'X-Service-Event': 'event.created' },
        response_body: 'seen',
      });
    },
  );
});

it('publishes a real sample with a change, as an event that the server stores', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const env = { HUBLINE_BASE_URL: server.baseUrl, HUBLINE_API_KEY: server.apiKey };
  const made = await runCli(['trigger', 'push', '--set=payload.ref=refs/heads/mine', '--jq=.event_id'], {
    env,
  });
  expect(made).toMatchObject({ code: 0 });
  const { out } = await runCli(
    ['event', 'get', made.out.trim(), '--jq=[.type, .source, .payload.ref] | join(" ")'],
    { env },
  );
  expect(out).toBe('push github refs/heads/mine\n');
});
