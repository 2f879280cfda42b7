import { startTestServer } from '@hubline/server/testing';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { errorResponse, fakeApi, pageResponse } from '../../test/fake-api.ts';
import { startReceiver } from '../../test/receiver.ts';
import { runCli } from '../../test/run-cli.ts';
import { testIo } from '../../test/test-io.ts';
import { PATIENT } from '../../../test/support/spawn-cli.ts';

let env: Record<string, string>;
let calls: unknown[];

beforeEach(async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  env = { HUBLINE_BASE_URL: server.baseUrl, HUBLINE_API_KEY: server.apiKey };
  const receiver = await startReceiver();
  ({ calls } = receiver);
  const create = ['webhook', 'create', `--url=${receiver.url}`, '--trigger=*', '--generate-secret'];
  expect(await runCli(create, { env })).toMatchObject({ code: 0 });
  for (const type of ['a', 'b']) await runCli(['event', 'publish', `--type=${type}`], { env });
  // The server learns of a response a moment after the receiver has given it.
  const delivered = ['delivery', 'list', '--status=delivered', '--jq=length'];
  await vi.waitUntil(async () => (await runCli(delivered, { env })).out === '2\n', PATIENT);
});

it('delivery list shows the IDs and the statuses on a terminal of 40 columns', async () => {
  const { out } = await runCli(['delivery', 'list', '--color=never'], { env, tty: true, columns: 40 });
  expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['ID', 'STATUS'],
    [expect.stringMatching(/^dlv_.{26}$/), 'deliver…'],
    [expect.stringMatching(/^dlv_.{26}$/), 'deliver…'],
    [''],
  ]);
});

describe('delivery retry with filters', () => {
  const line = ['delivery', 'retry', '--trigger=event.created', '--since=1h'];

  it('lists with --dry-run, needs a confirmation, and sends each again', async () => {
    const dry = await runCli([...line, '--dry-run', '-q'], { env });
    expect(dry.out.trimEnd().split('\n')).toHaveLength(2);
    expect((await runCli([...line, '--dry-run'], { env })).err).toContain(
      'Would retry 2 deliveries (oldest ',
    );
    expect(await runCli(line, { env })).toMatchObject({ code: 2, out: '' });
    expect(await runCli(line, { env, tty: true, answers: [false] })).toMatchObject({ code: 2, out: '' });
    expect(calls).toHaveLength(2);
    expect(await runCli([...line, '--yes', '-q'], { env })).toMatchObject({ code: 0, out: dry.out });
    await vi.waitUntil(() => calls.length === 4, PATIENT);
  });

  it('says how many it would retry, for IDs as for filters, and how to see the attempts', async () => {
    const list = await runCli(['delivery', 'list', '-q'], { env });
    const ids = list.out.trimEnd().split('\n');
    const dry = (...named: string[]) =>
      runCli(['delivery', 'retry', ...named, '--dry-run', '--json=id'], { env });
    expect(await dry(...ids)).toMatchObject({
      out: `[${ids.map((id) => JSON.stringify({ id })).join(',\n')}]\n`,
      err: expect.stringContaining('Would retry 2 deliveries (oldest '),
    });
    expect(await dry(ids[0] ?? '')).toMatchObject({
      out: `{"id":"${ids[0]}"}\n`,
      err: expect.stringContaining('Would retry 1 delivery (oldest '),
    });
    expect(await dry(ids[0] ?? '', 'dlv_1')).toMatchObject({
      code: 10,
      err: expect.stringContaining('Would retry 1 delivery (oldest '),
    });
    expect(calls).toHaveLength(2);
    expect((await runCli([...line, '--yes'], { env })).err).toContain('hubline delivery attempts <id>');
    const all = await runCli(['delivery', 'retry-all', '--status=delivered', '--yes'], { env });
    const [, recovery = ''] = /Recovery (\S+) began/.exec(all.out) ?? [];
    expect(all.err).toBe(`See its progress: hubline recovery get ${recovery}\n`);
  });

  it.each([
    [[], 'Send all failed deliveries again?'],
    [['--webhook=whk_1', '--status=delivered'], 'Send all delivered deliveries of whk_1 again?'],
    [['--code=503'], 'Send all matching failed deliveries again?'],
    [['--type=push'], 'Send all matching failed deliveries again?'],
  ])('asks with retry-all %j about what it would send', async (filters, question) => {
    const asked: string[] = [];
    const answers = { tty: true, answers: [false], asked };
    expect(await runCli(['delivery', 'retry-all', ...filters], { env, ...answers })).toMatchObject({
      code: 2,
    });
    expect(asked).toEqual([question]);
  });

  it.each(['resend', 'resend-all'])('has no second name: %s is unknown', async (name) => {
    const { code, err } = await runCli(['delivery', name, '--status=failed', '--yes'], { env });
    expect({ code, err: err.split('\n')[0] }).toEqual({ code: 2, err: expect.stringContaining(name) });
  });

  it('succeeds when nothing matches', async () => {
    const none = ['delivery', 'retry', '--status=failed', '--json'];
    expect(await runCli(none, { env })).toMatchObject({ code: 0, out: '[]\n' });
  });

  it.each([
    [['delivery', 'retry'], 'No deliveries are named.'],
    [['delivery', 'retry', 'dlv_1', '--status=failed'], 'Give either IDs or filters.'],
  ])('%j is refused', async (wrong, message) => {
    const { code, err } = await runCli(wrong, { env });
    expect({ code, named: err.includes(message) }).toEqual({ code: 2, named: true });
  });
});

it('a retry that fails in part reports each delivery, and ends with exit code 10', async () => {
  const deliveries = ['dlv_1', 'dlv_2'].map((id) => ({ id, created_at: '2026-06-15T12:00:00.000Z' }));
  const api = await fakeApi(({ method, path }) => {
    if (method === 'GET') return pageResponse(deliveries);
    return path.includes('dlv_1') ? errorResponse(422, 'unprocessable_entity') : { body: deliveries[1] };
  });
  const { code, out } = await runCli(['delivery', 'retry', '--status=failed', '--yes', '--json'], api);
  expect(code).toBe(10);
  expect(JSON.parse(out)).toMatchObject([
    { id: 'dlv_1', error: { code: 'unprocessable_entity' } },
    { id: 'dlv_2' },
  ]);
});

it('delivery tail shows deliveries as they come', async () => {
  const { code, out } = await runCli(['delivery', 'tail', '--since=1h', '--limit=2', '--json=status'], {
    env,
  });
  expect({ code, out }).toEqual({ code: 0, out: '{"status":"delivered"}\n'.repeat(2) });
});

it('delivery tail shows nothing of a batch from before it, even if that is longer than a page', async () => {
  const stdin = '{"type":"old","payload":{}}\n'.repeat(150);
  await runCli(['event', 'publish', '--batch=-'], { env, stdin });
  const delivered = ['delivery', 'list', '--status=delivered', '--type=old', '--all', '--jq=length'];
  await vi.waitUntil(async () => (await runCli(delivered, { env })).out === '150\n', PATIENT);
  const io = testIo();
  const line = ['delivery', 'tail', '--limit=1', '--json=event_name', '--verbose'];
  const tailing = runCli(line, { env, io });
  await vi.waitUntil(() => /(?:^< 200[\s\S]*){2}/m.test(io.err()), PATIENT);
  await runCli(['event', 'publish', '--type=late'], { env });
  expect(await tailing).toMatchObject({ code: 0 });
  expect(io.out()).toBe('{"event_name":"late"}\n');
});

describe('wait', () => {
  it('ends when the delivery is delivered, and fails when it never will be', async () => {
    const ids = (await runCli(['delivery', 'list', '-q'], { env })).out.trimEnd().split('\n');
    const line = ['wait', 'delivery', ids[0] ?? ''];
    expect(await runCli([...line, '--json=status'], { env })).toMatchObject({
      code: 0,
      out: '{"status":"delivered"}\n',
    });
    expect(await runCli([...line, '--for=status=failed'], { env })).toMatchObject({ code: 9, out: '' });
    expect((await runCli(line, { env })).out).toContain('status\tdelivered\n');
  });

  it('does not wait for a field that does not exist', async () => {
    const [id = ''] = (await runCli(['delivery', 'list', '-q'], { env })).out.split('\n');
    const { code, err } = await runCli(['wait', 'delivery', id, '--for=delivered'], { env });
    expect({ code, hint: err.includes('--for status=') }).toEqual({ code: 2, hint: true });
  });

  it('gives up in time', async () => {
    const line = ['wait', 'event', 'evt_06f8xw2b3c4d5e6f7g8h9j0kmn', '--within=1ms'];
    const { code, err } = await runCli(line, { env });
    expect({ code, said: err.includes('it is not there') }).toEqual({ code: 9, said: true });
    expect(await runCli(['wait', 'toast', 'x'], { env })).toMatchObject({ code: 2 });
  });
});
