import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { Api } from '../api/support/api.ts';
import { unique } from '../api/support/workspace.ts';
import { until } from '../api/support/until.ts';
import { SENDER_MODES } from '../delivery/sender-modes.ts';
import { type HostileReceiver, serve } from './behavior.ts';
import { BEHAVIORS } from './behaviors.ts';
import type { Cost } from './engine-process.ts';

// The receivers run here and the server in its own process, so that only the server's memory and loop are measured. The
// lag of the event loop is measured in CPU time of its thread, so the work of other processes on a busy machine does
// not count. A busy machine is slower, too: rounds of well-behaved receivers alternate with the hostile ones, and the
// test compares the medians.

// The deadline of every attempt. Another test checks how each attempt ends.
const DEADLINE_MS = 1_000;

// Without this, V8 lets the young generation of each thread grow for ten rounds, by more than what is measured.
const SMALL_YOUNG_GENERATION = '--max-semi-space-size=4';

const ROUNDS = 3;

let child: ChildProcess;
let api: Api;
let hostile: HostileReceiver[];
let decent: HostileReceiver[];

beforeAll(async () => {
  hostile = await Promise.all(BEHAVIORS.map(({ start }) => start()));
  // These receivers take almost as long as the server's deadline, so that both kinds of rounds take equally long.
  const late = DEADLINE_MS - 50;
  decent = await Promise.all(
    BEHAVIORS.map(() =>
      serve(createServer((_, response) => void setTimeout(() => response.end('ok'), late))),
    ),
  );
});
afterAll(() => Promise.all([...hostile, ...decent].map(({ stop }) => stop())));

async function startServer(senders: number): Promise<void> {
  const script = fileURLToPath(new URL('engine-process.ts', import.meta.url));
  child = fork(script, [String(DEADLINE_MS), String(senders)], {
    execArgv: [...process.execArgv, '--expose-gc', SMALL_YOUNG_GENERATION],
  });
  onTestFinished(async () => {
    const gone = once(child, 'exit');
    child.send('stop');
    await gone;
  });
  const [server] = (await once(child, 'message')) as [{ baseUrl: string; apiKey: string }];
  api = new Api(server.baseUrl, server.apiKey);
}

async function ask<Reply>(message: 'begin' | 'end'): Promise<Reply> {
  const replied = once(child, 'message');
  child.send(message);
  const [reply] = (await replied) as [Reply];
  return reply;
}

/** Makes one delivery to every receiver at once. Returns the cost for the server. */
async function round(receivers: readonly HostileReceiver[]): Promise<Cost> {
  const { id } = await api.call('workspaces.create', { body: { name: 'Load', slug: unique('load') } });
  for (const { url } of receivers) {
    const body = { workspace_id: id, url, events: ['event.created'], secret: 'whsec_test_secret' };
    await api.call('webhooks.create', { body });
  }
  await ask('begin');
  await api.call('events.publish', { params: { id }, body: { type: 'push', payload: {} } });
  await until('an attempt of every delivery', async () => {
    const { data } = await api.call('deliveries.list', {
      params: { id },
      query: { status: 'pending', limit: '1' },
    });
    return data.length === 0;
  });
  return ask<Cost>('end');
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

it.each(SENDER_MODES)(
  '%s, all hostile receivers at once cost less than 20 MB of memory, and none of them blocks the loop',
  async (_, senders) => {
    await startServer(senders);
    // The first rounds pay for things that stay: compiled code, the roots of TLS.
    for (const receivers of [decent, hostile]) await round(receivers);
    const costs: { decent: Cost[]; hostile: Cost[] } = { decent: [], hostile: [] };
    for (let turn = 0; turn < ROUNDS; turn += 1) {
      costs.decent.push(await round(decent));
      costs.hostile.push(await round(hostile));
    }
    const lag = (kind: 'decent' | 'hostile') => median(costs[kind].map(({ lagMs }) => lagMs));
    // V8 lets its heap grow over the rounds, up to a level. The test checks that hostile receivers do not raise that
    // level.
    const memory = (kind: 'decent' | 'hostile') => Math.max(...costs[kind].map(({ rssBytes }) => rssBytes));
    const message = JSON.stringify(costs);
    // The difference is below 50 ms on a quiet machine. An endless response that blocks the loop takes seconds.
    expect(lag('hostile') - lag('decent'), message).toBeLessThan(500);
    expect(memory('hostile') - memory('decent'), message).toBeLessThan(20_000_000);
  },
);
