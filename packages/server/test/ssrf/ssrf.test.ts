import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { LIMITS } from '@hubline/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { programArguments } from '../../../../scripts/programs/programs.ts';
import type { ReadResponse } from '../api/support/api.ts';
import { type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import { deliver, newWebhook, reaches, subscribe } from '../delivery/support.ts';
import { SENDER_MODES } from '../delivery/sender-modes.ts';
import { TestClock } from '../delivery/test-clock.ts';
import { spawnTraced, whyNoStrace } from '../faults/strace.ts';
import { type Attempted, attemptAll } from './attempts.ts';
import { forbiddenUrls, publicUrls, refusals } from './corpus.ts';
import { type DialWitness, SENDER_DIALS, watchDials } from './dial-witness.ts';
import { corpusZone, FORBIDDEN_HIDDEN, NOWHERE_NAMES, OPEN_NAMES } from './names.ts';

const SAMPLE = 7;
const TEST_CALL = { event_type: 'event.created' } as const;

// Three witnesses watch: a listener on the loopback, on the port that every forbidden URL names; a record of every TCP
// connection of this process, from any library, and of a sender's thread; and, if strace is installed, a record of
// every connection that the kernel is asked for.

const senderProgram = new URL('watched-sender.process.ts', import.meta.url);

let witness: DialWitness;
let listener: Server;
let port: number;
let visits = 0;

beforeAll(async () => {
  witness = await watchDials();
  await forget();
  listener = createServer((socket) => {
    visits += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  port = (listener.address() as { port: number }).port;
});
afterAll(async () => {
  witness.stop();
  await rm(SENDER_DIALS);
  await new Promise((resolve) => listener.close(resolve));
});

/** Every address that this thread or a sender's dialed, except the test's own calls of the API. */
async function dialed(): Promise<string[]> {
  return [...witness.dialed, ...(await readFile(SENDER_DIALS, 'utf8')).split('\n').filter(Boolean)];
}

/** Forgets the dialed addresses. */
async function forget(): Promise<void> {
  witness.clear();
  await writeFile(SENDER_DIALS, '');
}

/** Checks that nothing was dialed since the test began. */
async function expectNobodyCalled(): Promise<void> {
  expect(await dialed()).toEqual([]);
  expect(visits).toBe(0);
}

function exemptApi({ url }: { url: string }): void {
  witness.exempt('127.0.0.1', Number(new URL(url).port));
}

async function folder(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'hubline-ssrf-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  return data;
}

/** Judges all cases, a few at a time. Returns the problems. */
async function findWrong<Case>(
  cases: readonly Case[],
  judge: (one: Case) => Promise<string | null>,
): Promise<string[]> {
  const wrong: string[] = [];
  const waiting = cases.values();
  const work = async () => {
    for (const one of waiting) {
      const problem = await judge(one);
      if (problem !== null) wrong.push(problem);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return wrong;
}

describe('a URL that a user names', () => {
  const zone = corpusZone();
  let workspace: TestWorkspace & { stop(): Promise<void> };
  let webhookId: string;
  let customId: string;
  let githubId: string;

  beforeAll(async () => {
    workspace = await startWorkspace({
      flags: { allowHttpLocalhost: false },
      resolve: zone.resolve,
    });
    exemptApi(workspace.server);
    webhookId = (await newWebhook(workspace, 'https://example.com/')).id;
    customId = await integrationId('custom');
    githubId = await integrationId('github');
  });
  afterAll(() => workspace.stop());
  beforeEach(forget);

  const ofWorkspace = () => ({ workspace_id: workspace.workspaceId });
  const custom = (notify_url: string) => ({ credentials: { notify_url } });
  const integrationId = async (provider: string) => {
    const body = { ...ofWorkspace(), type: provider, config: {} };
    return (await workspace.api.call('integrations.create', { body })).integration_id;
  };

  /** Every field of the API with a URL that the server calls, and the status of a success. */
  const fields: [string, field: string, send: (url: string) => Promise<ReadResponse>, success: number][] = [
    [
      'the url of a new webhook',
      'url',
      (url) =>
        workspace.api.send('webhooks.create', {
          body: { ...ofWorkspace(), url, events: ['event.created'], secret: 'whsec_test' },
        }),
      201,
    ],
    [
      'the new url of a webhook',
      'url',
      (url) => workspace.api.send('webhooks.update', { params: { webhookId }, body: { url } }),
      200,
    ],
    [
      'the notify_url of a new integration',
      'credentials.notify_url',
      (url) =>
        workspace.api.send('integrations.connect', {
          body: { ...ofWorkspace(), provider: 'custom', ...custom(url) },
        }),
      201,
    ],
    [
      'the notify_url of the variant form',
      'credentials.notify_url',
      (url) =>
        workspace.api.send('integrations.create', {
          body: { ...ofWorkspace(), type: 'custom', config: {}, ...custom(url) },
        }),
      201,
    ],
    [
      'the new notify_url of an integration',
      'credentials.notify_url',
      (url) =>
        workspace.api.send('integrations.reconnect', {
          params: { integrationId: customId },
          body: custom(url),
        }),
      200,
    ],
  ];

  it('is tested with a corpus of more than a thousand different ones', () => {
    expect(new Set(forbiddenUrls(port)).size).toBeGreaterThan(1_000);
    expect(new Set(forbiddenUrls(port)).size).toBe(forbiddenUrls(port).length);
  });

  it.each(fields)('is refused as %s when it must not be called', async (_way, field, send) => {
    // All fields share one check: the first gets every URL, the others a sample.
    const every = send === fields[0]?.[2] ? 1 : SAMPLE;
    const asked = refusals(port).filter((_, index) => index % every === 0);
    const wrong = await findWrong(asked, async ({ url, status }) => {
      const response = await send(url);
      return response.status === status && fieldOf(response) === field
        ? null
        : `${response.status} ${JSON.stringify(url)}`;
    });
    expect(wrong).toEqual([]);
    await expectNobodyCalled();
    expect((await workspace.api.call('webhooks.get', { params: { webhookId } })).url).toBe(
      'https://example.com/',
    );
  });

  it.each(fields)('is refused as %s when it is too long', async (_way, field, send) => {
    const url = `https://example.com/${'x'.repeat(LIMITS.urlMax)}`;
    const response = await send(url);
    expect([response.status, fieldOf(response)]).toEqual([400, field]);
    expect((await send(url.slice(0, LIMITS.urlMax))).status).toBeLessThan(300);
    await send('https://example.com/');
  });

  it('is refused as the domain of a provider when its host must not be called', async () => {
    const hosts = new Set(refusals(port).flatMap(({ url }) => /^https:\/\/([^/?#\\]*)/.exec(url)?.[1] ?? []));
    // Some URLs are refused because of the part after their host.
    hosts.delete('example.com');
    const ways = [
      (credentials: object) =>
        workspace.api.send('integrations.connect', {
          body: { ...ofWorkspace(), provider: 'github', credentials },
        }),
      (credentials: object) =>
        workspace.api.send('integrations.reconnect', {
          params: { integrationId: githubId },
          body: { credentials },
        }),
    ];
    for (const send of ways) {
      const wrong = await findWrong([...hosts], async (domain) => {
        const response = await send({ token: 'ghp_x', domain });
        const right = [400, 422].includes(response.status) && fieldOf(response) === 'credentials.domain';
        return right ? null : `${response.status} ${JSON.stringify(domain)} ${response.text}`;
      });
      expect(wrong).toEqual([]);
    }
    await expectNobodyCalled();
  });

  it.each(fields)(
    'is accepted as %s when its address is public, or it has a name',
    async (_way, _field, send, success) => {
      const names = [...FORBIDDEN_HIDDEN, ...OPEN_NAMES].map((name) => `https://${name}/`);
      const wrong = await findWrong([...publicUrls(), ...names], async (url) => {
        const response = await send(url);
        return response.status === success ? null : `${response.status} ${url} ${response.text}`;
      });
      expect(wrong).toEqual([]);
      // A name is checked when it is called: its owner can change its addresses until then.
      await expectNobodyCalled();
      expect(zone.asked('cname.example.com')).toBe(0);
      await send('https://example.com/');
    },
  );
});

describe.each(SENDER_MODES)('%s, a URL that a user names', (_, senders) => {
  const time = new TestClock();
  const zone = corpusZone({
    'rebinding.example.com': { answers: [['8.8.8.8'], ['127.0.0.1'], ['10.0.0.1']] },
  });
  let workspace: TestWorkspace & { stop(): Promise<void> };

  beforeAll(async () => {
    workspace = await startWorkspace({
      flags: { allowHttpLocalhost: false, senders },
      senderProgram,
      clock: time.clock,
      timer: time.timer,
      resolve: zone.resolve,
    });
    exemptApi(workspace.server);
  });
  afterAll(() => workspace.stop());
  beforeEach(forget);

  it('is checked again at every attempt: a name that resolves to a private address by then is not called', async () => {
    const there = await subscribe(workspace, `https://rebinding.example.com:${port}/`);
    const { id } = await deliver(there);
    await reaches(there, id, { status: 'retrying', attempts: 1 });
    // There is one query for each connection: the checked address is the one that is dialed.
    expect([zone.asked('rebinding.example.com'), await dialed()]).toEqual([1, [`8.8.8.8 ${port}`]]);
    await forget();
    time.advance(5_001);
    await reaches(there, id, { status: 'retrying', attempts: 2 });
    time.advance(25_001);
    const { attempts } = await reaches(there, id, { status: 'retrying', attempts: 3 });
    expect(attempts.map(({ error }) => error?.kind)).toEqual(['connect', 'blocked', 'blocked']);
    await expectNobodyCalled();
  });

  it('is refused for test calls and notifications as for deliveries', async () => {
    for (const host of ['cname.example.com', 'mixed-first.example.com', 'six-1.example.com']) {
      const url = `https://${host}:${port}/`;
      const { id: hiddenId } = await newWebhook(workspace, url);
      const { id } = await workspace.api.call('webhooks.test', {
        params: { webhookId: hiddenId },
        body: TEST_CALL,
      });
      const { attempts } = await reaches(workspace, id, { status: 'failed' });
      expect(attempts).toMatchObject([{ error: { kind: 'blocked', message: 'blocked address' } }]);
      expect(await notify(url)).toMatchObject({ success: false, error: 'blocked address' });
    }
    await expectNobodyCalled();
  });

  async function notify(url: string) {
    const credentials = { notify_url: url };
    const { integration_id } = await workspace.api.call('integrations.connect', {
      body: { workspace_id: workspace.workspaceId, provider: 'custom', credentials },
    });
    return workspace.api.call('integrations.test', {
      params: { integrationId: integration_id },
      body: { event_type: 'message', payload: { message: 'hello' } },
    });
  }
});

describe('a server for development', () => {
  it('opens the loopback and nothing else', async () => {
    const workspace = await startWorkspace({ flags: { allowHttpLocalhost: true } });
    onTestFinished(() => workspace.stop());
    exemptApi(workspace.server);
    await forget();
    const { id: webhookId } = await newWebhook(workspace, 'https://example.com/');
    const wrong = await findWrong(refusals(port), async ({ url }) => {
      const { status, json } = await workspace.api.send('webhooks.update', {
        params: { webhookId },
        body: { url },
      });
      if (status !== 200) return null;
      const { hostname } = new URL((json as { url: string }).url);
      return LOOPBACK.test(hostname) ? null : `${status} ${JSON.stringify(url)}`;
    });
    expect(wrong).toEqual([]);
    await expectNobodyCalled();
  });
});

const fieldOf = ({ json }: ReadResponse) =>
  (json as { error?: { details?: { field: string }[] } }).error?.details?.[0]?.field;

// Hosts in the parser's notation; a mapped address equals its IPv4 address.
const LOOPBACK = /^(?:127\.[\d.]+|\[::(?:1|ffff:7f[0-9a-f]{2}:[0-9a-f]+)\]|(?:.+\.)?localhost\.?)$/;

describe('an attempt', () => {
  beforeEach(forget);

  it.each(SENDER_MODES)(
    '%s calls no forbidden address, whatever URLs are stored and whatever names resolve to',
    async (_, senders) => {
      const hidden = FORBIDDEN_HIDDEN.map((name) => `https://${name}:${port}/`);
      const attempted = await attemptAll({
        data: await folder(),
        urls: [...forbiddenUrls(port), ...hidden],
        senders,
        senderProgram,
        resolve: corpusZone().resolve,
        onListening: exemptApi,
      });
      await expectNobodyCalled();
      expectRefused(attempted);
    },
  );

  it.each(SENDER_MODES)('%s dials exactly the addresses of public names and hosts', async (_, senders) => {
    const names = [...OPEN_NAMES, ...NOWHERE_NAMES].map((name) => `https://${name}/`);
    const zone = corpusZone();
    const attempted = await attemptAll({
      data: await folder(),
      urls: [...publicUrls(), ...names],
      senders,
      senderProgram,
      resolve: zone.resolve,
      onListening: exemptApi,
    });
    // Nothing responds, because nothing leaves this machine; but the address was allowed.
    const outcomes = new Map(attempted.map(({ url, kind }) => [url, kind]));
    const unknown = (url: string) => !OPEN_NAMES.includes(new URL(url).hostname) && !isAddress(new URL(url));
    expect([...outcomes].filter(([url, kind]) => kind !== (unknown(url) ? 'dns' : 'connect'))).toEqual([]);
    const seen = await dialed();
    for (const url of publicUrls().filter((one) => isAddress(new URL(one)))) {
      expect(seen).toContain(`${new URL(url).hostname.replaceAll(/[[\]]/g, '')} 443`);
    }
    for (const name of OPEN_NAMES) {
      const [first] = await zone.resolve(name);
      expect(seen).toContain(`${first?.address} 443`);
    }
  });
});

const isAddress = ({ hostname }: URL) => /^\[|^[\d.]+$/.test(hostname);

/** Checks that each attempt was refused on this side, and that its error does not reveal what is there. */
function expectRefused(attempted: readonly Attempted[]): void {
  const revealing = attempted.filter(
    ({ kind, message, status }) =>
      status !== null ||
      !(
        (kind === 'blocked' && message === 'blocked address') ||
        (kind === 'protocol' && message === 'the URL is not a valid target')
      ),
  );
  expect(revealing).toEqual([]);
}

describe('the kernel', () => {
  it('is asked for no connection to anybody but the API', async (context) => {
    const reason = await whyNoStrace();
    context.skip(reason !== null, `${reason}: the other witnesses stand alone`);
    const data = await folder();
    const trace = join(data, 'trace');
    const script = fileURLToPath(new URL('attempts-process.ts', import.meta.url));
    const child = spawnTraced(
      ['-e', 'trace=connect', '-o', trace],
      [...programArguments(script), data, String(port)],
    );
    const output = await text(child.stdout);
    const { api, attempted } = JSON.parse(output) as { api: string[]; attempted: Attempted[] };
    expectRefused(attempted);
    const connected = (await readFile(trace, 'utf8')).split('\n').filter((line) => /AF_INET6?\b/.test(line));
    const apiOnly = new RegExp(`htons\\((?:${api.join('|')})\\).*inet_addr\\("127\\.0\\.0\\.1"\\)`);
    // strace has seen the child's calls of its own API: a witness that sees nothing would prove nothing.
    expect(connected.length).toBeGreaterThan(0);
    expect(connected.filter((line) => !apiOnly.test(line))).toEqual([]);
    expect(visits).toBe(0);
  });
});
