import { bootstrap, parseServerConfig, startServer } from '@hubline/server';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { lastingPort } from '../../../scripts/programs/lasting-port.ts';
import { Interrupted } from '../src/errors/errors.ts';
import { errorResponse, fakeApi } from '../src/test/fake-api.ts';
import { startReceiver } from '../src/test/receiver.ts';
import { type Finished, runCli, temporaryDirectory } from '../src/test/run-cli.ts';
import { PATIENT } from './support/spawn-cli.ts';
import { testIo } from '../src/test/test-io.ts';

/** A server that can be stopped and started again, on the same data and the same port. */
async function restartable() {
  const data = join(await temporaryDirectory(), 'data');
  const port = await lastingPort();
  const config = parseServerConfig({ data, port, logLevel: 'silent', allowHttpLocalhost: true }, {});
  const { api_key: key } = await bootstrap(config, {
    email: 'ana@acme.test',
    name: 'Acme',
    slug: 'acme',
  });
  let server = await startServer(config);
  onTestFinished(() => server.stop());
  const { baseUrl } = server;
  const env = { HUBLINE_BASE_URL: baseUrl, HUBLINE_API_KEY: key, HUBLINE_CONFIG_DIR: join(data, 'config') };
  return {
    env,
    stop: () => server.stop(),
    start: async () => void (server = await startServer(config)),
    /** Creates what a document describes. */
    make: async (line: readonly string[], document: object) => {
      const { code, out, err } = await runCli([...line, '--file=-', '--json'], {
        env,
        stdin: JSON.stringify(document),
      });
      expect(code, err).toBe(0);
      return JSON.parse(out) as { id: string };
    },
    /** Runs a command line that must succeed. */
    cli: async (...line: string[]) => {
      const { code, out, err } = await runCli(line, { env });
      expect(code, err).toBe(0);
      return out;
    },
  };
}

type Server = Awaited<ReturnType<typeof restartable>>;

interface Tail {
  /** The command line. `url` is a URL to forward to. */
  line(url: string): readonly string[];
  /** Makes what it needs besides a webhook. The returned words end the command line. */
  prepare?(server: Server): Promise<readonly string[]>;
  /** Makes something happen that the tail shows, under this name. */
  happen(server: Server, name: string): Promise<unknown>;
  /** The text on stderr that proves that it follows. */
  readonly following: RegExp;
}

const TELL_OWNERS = {
  name: 'Everything',
  notify_on: ['event.created'],
  destinations: [{ kind: 'in_app', roles: ['owner'] }],
};

const WAIT = {
  name: 'Wait',
  trigger: { event: 'event.created' },
  actions: [{ type: 'wait', seconds: 3_600 }],
};

const publish = (server: Server, name: string) => server.cli('event', 'publish', `--type=${name}`);
// Earlier requests have responses, too, so the pattern names the stream.
const STREAM = { following: /^> GET \S*stream\S*\n< 200/m };
const LIST = { following: /(?:^< 200[\s\S]*){2}/m };
const AWAY = /Trying again until it responds; press Ctrl-C to stop\.\n/;

const TAILS: Readonly<Record<string, Tail>> = {
  'event tail': { line: () => ['event', 'tail', '--json=type', '--jq=.type'], happen: publish, ...STREAM },
  listen: {
    line: (url) => ['listen', url, '--template={{type}}'],
    happen: publish,
    ...STREAM,
  },
  'notification tail': {
    line: () => ['notification', 'tail', '--template={{text}}'],
    prepare: async (server) => {
      await server.make(['rule', 'create'], TELL_OWNERS);
      return [];
    },
    happen: publish,
    ...STREAM,
  },
  'automation runs': {
    line: () => ['automation', 'runs', '--follow', '--template={{event_id}}'],
    prepare: async (server) => [(await server.make(['automation', 'create'], WAIT)).id],
    happen: publish,
    ...LIST,
  },
  'delivery tail': {
    line: () => ['delivery', 'tail', '--template={{event_id}}'],
    happen: publish,
    ...LIST,
  },
  'audit tail': {
    line: () => ['audit', 'tail', '--action=member.invited', '--jq=.targets[0].name'],
    happen: (server, name) => server.cli('member', 'invite', `${name}@acme.test`),
    ...LIST,
  },
};

it.each(
  [
    ['event', 'tail'],
    ['listen', '--exec=true'],
  ].map((line) => [line]),
)('%j says once that the server is away, and when it is back, without --verbose', async (line) => {
  let streams = 0;
  const api = await fakeApi(({ path }) => {
    if (!path.endsWith('/stream')) return undefined;
    streams += 1;
    // Two attempts find the server away.
    if (streams === 2 || streams === 3)
      return { ...errorResponse(503, 'service_unavailable'), headers: { 'retry-after': '0' } };
    const event = {
      event_id: `evt_${streams}`,
      type: 'push',
      integration_id: null,
      payload: {},
      summary: { occurred_at: '2026-06-15T12:00:00.000Z' },
    };
    return {
      headers: { 'content-type': 'text/event-stream' },
      text: `id: ${event.event_id}\ndata: ${JSON.stringify(event)}\n\n`,
    };
  });
  const { code, err } = await runCli([...line, '--json', '--limit=2'], { env: api.env });
  expect(code, err).toBe(0);
  const { origin } = new URL(api.env.HUBLINE_BASE_URL);
  const told = err.split('\n').filter((text) => /responded|responding/.test(text));
  expect(told).toEqual([
    `${origin} responded with 503. Trying again until it responds; press Ctrl-C to stop.`,
    'The server is responding again.',
  ]);
});

describe.each(Object.entries(TAILS))('%s', (_, tail) => {
  it.each([
    ['with something before it', ['before']],
    ['with nothing before it', []],
  ])('continues across a restart of the server, %s, and misses and repeats nothing', async (__, before) => {
    const server = await restartable();
    const { url } = await startReceiver();
    await server.cli('webhook', 'create', `--url=${url}`, '--trigger=event.created', '--generate-secret');
    const rest = (await tail.prepare?.(server)) ?? [];
    const io = testIo();
    const stopping = new AbortController();
    const tailing = runCli([...tail.line(url), ...rest, '--verbose'], {
      env: server.env,
      io,
      signal: stopping.signal,
    });
    const seen = () => [...new Set(io.out().split('\n').filter(Boolean))];
    let ended: Finished | undefined;
    void tailing.then((finished) => (ended = finished));
    const until = (done: () => boolean) =>
      vi.waitUntil(() => {
        if (ended) throw new Error(`It ended with ${ended.code}: ${ended.err}`);
        return done();
      }, PATIENT);

    await until(() => tail.following.test(io.err()));
    expect(seen()).toEqual([]);
    for (const name of before) await tail.happen(server, name);
    await until(() => seen().length === before.length);
    await server.stop();
    await until(() => AWAY.test(io.err()));
    await server.start();
    await tail.happen(server, 'after');
    await until(() => seen().length === before.length + 1);
    await tail.happen(server, 'later');
    await until(() => seen().length === before.length + 2);
    stopping.abort(new Interrupted('SIGINT'));
    expect(await tailing).toMatchObject({ code: 130 });
    expect(io.err()).toContain('The server is responding again.\n');
    const names = [...before, 'after', 'later'];
    expect(seen()).toHaveLength(names.length);
    // A delivery and a run have no name of their own, and are printed again with each state.
    if (tail.line(url).some((word) => word === 'delivery' || word === 'automation')) return;
    const lines = io.out().trimEnd().split('\n');
    expect(lines.map((text) => text.split(/[@ ]/)[0])).toEqual(names);
  });
});
