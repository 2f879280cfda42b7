import { unwrap } from '@hubline/webhooks';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Interrupted } from '../../errors/errors.ts';
import { realServer } from '../../test/real-server.ts';
import { startReceiver } from '../../test/receiver.ts';
import { runCli, temporaryDirectory } from '../../test/run-cli.ts';
import { PATIENT } from '../../../test/support/spawn-cli.ts';

const SECRET = 'whsec_dGhlIHNlY3JldCBvZiBhIHRlc3Q=';

const { server, json } = await realServer();
let count = 0;

/** A workspace of its own, a receiver and a secret, and the environment to use them. */
async function setUp(answer?: (count: number) => number) {
  const directory = await temporaryDirectory();
  const secretFile = join(directory, 'secret');
  await writeFile(secretFile, `${SECRET}\n`);
  const slug = `listen-${(count += 1)}`;
  const { id = '' } = await json('workspace', 'create', `--name=${slug}`, `--slug=${slug}`);
  const env = {
    HUBLINE_BASE_URL: server.baseUrl,
    HUBLINE_API_KEY: server.apiKey,
    HUBLINE_WORKSPACE: id,
    HUBLINE_CONFIG_DIR: join(directory, 'config'),
  };
  const post = (body: string) =>
    fetch(`${server.baseUrl}/workspaces/${id}/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
      body,
    });
  const publish = async (type: string) => post(JSON.stringify({ type, payload: {} }));
  return { directory, secretFile, env, post, publish, ...(await startReceiver(answer)) };
}

describe('listen', () => {
  it('sends what the delivery engine sends, byte for byte', async () => {
    const { env, url, calls, post, secretFile } = await setUp();
    const hook = ['webhook', 'create', `--url=${url}/engine`, '--trigger=event.created', '-q'];
    expect(await runCli([...hook, `--secret-file=${secretFile}`], { env })).toMatchObject({ code: 0 });
    // Text that a parser and a printer would change, or that would confuse a search for the payload.
    await post(
      '{"type":"a","source":"s","payload":{"big":12345678901234567890,"one":1.0,"x":1,"x":2,"t":"\\u00e9 \\"payload\\":{","payload":[]}}',
    );
    await post('{"type":"b","payload":{},"occurred_at":"2026-01-02T03:04:05Z"}');
    await vi.waitUntil(() => calls.length === 2, PATIENT);
    const line = ['listen', `${url}/listen`, '--since=1h', '--limit=2', `--secret-file=${secretFile}`, '-q'];
    expect(await runCli(line, { env })).toMatchObject({ code: 0, err: '' });
    const sent = (path: string) =>
      calls.filter((call) => call.path === path).map(({ body }) => body.replace(/dlv_\w+/g, 'dlv_'));
    expect(sent('/listen').toSorted()).toEqual(sent('/engine').toSorted());
    expect(sent('/listen').join('')).toContain('"big":12345678901234567890,"one":1.0,"x":1,"x":2');
    const names = ({ path }: { path: string }) =>
      Object.keys(calls.find((call) => call.path === path)?.headers ?? {}).toSorted();
    expect(names({ path: '/listen' })).toEqual(expect.arrayContaining(names({ path: '/engine' })));
    for (const { body, headers } of calls) await unwrap({ body, headers }, { secret: SECRET });
  });

  it('forwards and exports a payload that streams and lists leave out, digit by digit', async () => {
    const { env, url, calls } = await setUp();
    const line = ['integration', 'connect', 'custom', '--credential=preset=none', '--jq=.ingest.url'];
    const { out: ingest } = await runCli(line, { env });
    // Lists and streams carry at most 8 MiB of a payload.
    const payload = `{"big":12345678901234567890,"text":"${'x'.repeat(9 * 1024 * 1024)}"}`;
    const hook = { method: 'POST', headers: { 'content-type': 'application/json' }, body: payload };
    expect((await fetch(ingest.trim(), hook)).status).toBe(202);

    expect(await runCli(['listen', url, '--since=1h', '--limit=1', '-q'], { env })).toMatchObject({
      code: 0,
    });
    expect(calls[0]?.body.includes(`"payload":${payload}`)).toBe(true);
    const exported = await runCli(['event', 'export', '--format=ndjson'], { env });
    expect({ code: exported.code, whole: exported.out.includes(`"payload":${payload}`) }).toEqual({
      code: 0,
      whole: true,
    });
  });

  it.each([
    [(port: string) => port, '/'],
    [(port: string) => `:${port}`, '/'],
    [(port: string) => `localhost:${port}`, '/'],
    [(port: string) => `127.0.0.1:${port}/hook`, '/hook'],
  ])('takes an address as it is typed (%#)', async (typed, path) => {
    const { env, url, calls, publish } = await setUp();
    await publish('push');
    const line = ['listen', typed(new URL(url).port), '--since=1h', '--limit=1', '-q'];
    expect(await runCli(line, { env })).toMatchObject({ code: 0, err: '' });
    expect(calls.map((call) => call.path)).toEqual([path]);
  });

  it('retries as often as the server does, and reports each attempt', async () => {
    const { env, url, calls, publish } = await setUp((count) => (count < 3 ? 500 : 204));
    await publish('push');
    const line = ['listen', url, '--since=1h', '--limit=1', '--retry-speed=1000', '--json'];
    const { code, out } = await runCli(line, { env });
    const attempts = out
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(code).toBe(0);
    expect(attempts).toMatchObject([
      { type: 'push', attempt: 1, status: 500, delivered: false, retry_in_ms: 5 },
      { attempt: 2, status: 500, retry_in_ms: 25 },
      { attempt: 3, status: 204, delivered: true, retry_in_ms: null },
    ]);
    expect(new Set(calls.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
    expect(calls.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3']);
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1);
  });

  it('gives up after five attempts, and ends then with --on-fail exit', async () => {
    const { env, url, calls, publish } = await setUp(() => 500);
    await publish('push');
    const line = ['listen', url, '--since=1h', '--retry-speed=100000', '--on-fail=exit'];
    const { code, out } = await runCli(line, { env });
    expect({ code, calls: calls.length }).toEqual({ code: 9, calls: 5 });
    expect(out).toContain('given up after 5');
  });

  it('filters, records, runs a command, and continues where it stopped', async () => {
    const { env, url, calls, publish, directory } = await setUp();
    for (const type of ['a', 'b', 'c']) await publish(type);
    const record = join(directory, 'events.ndjson');
    const all = ['listen', '--since=1h', '-q'];
    const filter = ['--filter', '.data.event_type != "b"', '--exec', 'cat', `--record=${record}`];
    expect(await runCli([...all, ...filter, '--limit=2'], { env })).toMatchObject({ code: 0 });
    const recorded = (await readFile(record, 'utf8')).trimEnd().split('\n');
    expect(recorded.map((text) => (JSON.parse(text) as { type: string }).type)).toEqual(['a', 'c']);

    await publish('d');
    expect(await runCli(['listen', url, '--resume', '--limit=1', '-q'], { env })).toMatchObject({ code: 0 });
    expect(calls.map(({ body }) => (JSON.parse(body) as { data: object }).data)).toMatchObject([
      { event_type: 'd' },
    ]);
    expect(await runCli(['replay', record, `--to=${url}/again`, '-q'], { env })).toMatchObject({ code: 0 });
    const again = calls.filter(({ path }) => path === '/again').map(({ body }) => body);
    expect(again).toEqual(recorded.map((text) => (JSON.parse(text) as { body: string }).body));
  });

  it('does not wait for a process that its command leaves in the background', async () => {
    const { env, publish, directory } = await setUp();
    await publish('push');
    const file = join(directory, 'background');
    onTestFinished(async () => void process.kill(Number(await readFile(file, 'utf8'))));
    const command = `sleep 600 & echo $! > '${file}'; echo begun`;
    const { code, out, err } = await runCli(['listen', '--since=1h', '--limit=1', '--exec', command], {
      env,
    });
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('push') });
    expect(err).toContain('begun');
  });

  it.skipIf(process.platform === 'win32')(
    'ends what its command has started, and not only its shell',
    async () => {
      const { env, publish, directory } = await setUp();
      await publish('push');
      const file = join(directory, 'said');
      const said = () => readFile(file, 'utf8').catch(() => '');
      const program = `trap 'echo ended > ${file}; kill $!; exit' TERM; sleep 600 & echo $$ > ${file}; wait`;
      const stop = new AbortController();
      const ran = runCli(
        ['listen', '--since=1h', '-q', '--exec', `sh -c "${program.replaceAll('$', '\\$')}"; true`],
        {
          env,
          signal: stop.signal,
        },
      );
      const begun = await vi.waitUntil(async () => /^\d+$/m.exec(await said()), PATIENT);
      onTestFinished(async () => {
        if ((await said()) !== 'ended\n') process.kill(Number(begun[0]));
      });
      stop.abort(new Interrupted('SIGINT'));
      await ran;
      await vi.waitFor(async () => expect(await said()).toBe('ended\n'), PATIENT);
    },
  );

  it.skipIf(process.platform === 'win32')(
    'ends what ignores SIGTERM before it ends itself, even when the shell does not ignore it',
    async () => {
      const { env, publish, directory } = await setUp();
      await publish('push');
      const file = join(directory, 'stubborn');
      const said = () => readFile(file, 'utf8').catch(() => '');
      const program = `trap '' TERM; echo \\$\\$ > ${file}; while true; do sleep 1; done`;
      const stop = new AbortController();
      const ran = runCli(['listen', '--since=1h', '-q', '--exec', `sh -c "${program}"; true`], {
        env,
        signal: stop.signal,
      });
      const begun = await vi.waitUntil(async () => /^\d+$/m.exec(await said()), PATIENT);
      const isLeft = () => {
        try {
          return process.kill(Number(begun[0]), 0);
        } catch {
          return false;
        }
      };
      onTestFinished(() => void (isLeft() && process.kill(Number(begun[0]), 'SIGKILL')));
      const killed = vi.spyOn(process, 'kill');
      onTestFinished(() => killed.mockRestore());
      stop.abort(new Interrupted('SIGINT'));
      expect((await ran).code).toBe(130);
      expect(killed.mock.calls.at(-1)).toEqual([expect.any(Number), 'SIGKILL']);
      await vi.waitFor(() => expect(isLeft()).toBe(false), PATIENT);
    },
  );

  it.skipIf(process.platform === 'win32')(
    'begins no command for the events that still wait when it is stopped',
    async () => {
      const { env, publish, directory } = await setUp();
      for (let n = 0; n < 10; n += 1) await publish('push');
      const file = join(directory, 'begun');
      const begun = async () => (await readFile(file, 'utf8').catch(() => '')).split('\n').length - 1;
      const stop = new AbortController();
      const ran = runCli(
        ['listen', '--since=1h', '-q', '--exec', `echo begun >> '${file}'; exec sleep 600`],
        {
          env,
          signal: stop.signal,
        },
      );
      await vi.waitUntil(async () => (await begun()) === 8, PATIENT);
      stop.abort(new Interrupted('SIGINT'));
      expect((await ran).code).toBe(130);
      expect(await begun()).toBe(8);
    },
  );

  it.skipIf(process.platform === 'win32')(
    'shows the line that a command had begun when it was cut off',
    async () => {
      const { env, publish, directory } = await setUp();
      await publish('push');
      const file = join(directory, 'begun');
      const stop = new AbortController();
      const ran = runCli(
        ['listen', '--since=1h', '-q', '--exec', `printf 'connecting to '; touch '${file}'; exec sleep 600`],
        {
          env,
          signal: stop.signal,
        },
      );
      await vi.waitUntil(
        () =>
          readFile(file).then(
            () => true,
            () => false,
          ),
        PATIENT,
      );
      stop.abort(new Interrupted('SIGINT'));
      expect((await ran).err).toContain('connecting to ');
    },
  );

  it('shows the output of its command whole, however it is cut', async () => {
    const { env, publish } = await setUp();
    await publish('push');
    // The first letter has one byte, and all others have two: pieces of an even length cut a letter in half.
    const command = "{ printf a; yes ä | head -n 200000; } | tr -d '\\n'";
    const { code, err } = await runCli(['listen', '--since=1h', '--limit=1', '-q', '--exec', command], {
      env,
    });
    expect(code).toBe(0);
    expect(err).toBe(`a${'ä'.repeat(200_000)}`);
  });

  it.skipIf(process.platform === 'win32')(
    'shows the lines of commands that run at the same time one after another',
    async () => {
      const { env, publish, directory } = await setUp();
      await publish('push');
      await publish('push');
      // Each command says the first half of its line, waits until the other has said its own, and says the rest.
      const both = `[ "$(wc -l < '${directory}/said')" -eq 2 ]`;
      const command = `printf 'a\tb'; echo >> '${directory}/said'; until ${both}; do sleep 0.01; done; echo c`;
      const line = ['listen', '--since=1h', '--limit=2', '-q', '--exec', command];
      expect(await runCli(line, { env })).toMatchObject({ code: 0, err: 'a\tbc\na\tbc\n' });
    },
  );

  it('runs twice for one workspace at the same time', async () => {
    const { env, url, publish } = await setUp();
    for (let event = 0; event < 20; event++) await publish('push');
    const line = ['listen', url, '--since=1h', '--limit=20', '-q'];
    const both = await Promise.all([runCli(line, { env }), runCli(line, { env })]);
    expect(both.map(({ code, err }) => ({ code, err }))).toEqual([
      { code: 0, err: '' },
      { code: 0, err: '' },
    ]);
    expect(await readdir(env.HUBLINE_CONFIG_DIR)).toContain(`listen-${env.HUBLINE_WORKSPACE}`);
  });

  it('leaves no unfinished file if its position cannot be saved', async () => {
    const { env, url, publish, secretFile } = await setUp();
    const name = `listen-${env.HUBLINE_WORKSPACE}`;
    await mkdir(join(env.HUBLINE_CONFIG_DIR, name), { recursive: true });
    await publish('push');
    const line = ['listen', url, '--since=1h', '--limit=1', `--secret-file=${secretFile}`, '-q'];
    const { code, err } = await runCli(line, { env });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(name) });
    expect(await readdir(env.HUBLINE_CONFIG_DIR)).toEqual([name]);
  });

  it.each([
    [['listen', 'http://example.com/hook'], 'is not this machine'],
    [['listen', 'ftp://localhost'], 'is not a URL'],
    [['listen', '99999'], 'is not a URL'],
    [['listen'], 'Give either a URL or --exec.'],
    [['listen', 'http://localhost:1', '--filter', '.['], '--filter: syntax error'],
    [['replay', '/nonexistent', '--to=http://localhost:1'], 'cannot be read'],
    [['replay', '-', '--to=http://localhost:1'], 'is not a recorded delivery'],
  ])('%j is refused', async (line, message) => {
    const { code, out, err } = await runCli(line, { stdin: '{"id":1}\n' });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });

  it('prints its own secret, the same every time', async () => {
    const env = { HUBLINE_CONFIG_DIR: await temporaryDirectory() };
    const first = await runCli(['listen', '--print-secret'], { env });
    expect(first.out).toMatch(/^whsec_\S{44}\n$/);
    expect(await runCli(['listen', '--print-secret'], { env })).toEqual(first);
    expect(JSON.parse((await runCli(['listen', '--print-secret', '--json'], { env })).out)).toEqual({
      secret: first.out.trim(),
    });
  });
});
