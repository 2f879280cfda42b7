import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hublinePostgres } from '../../contenders/hubline.ts';
import { createHublineData, type HublineServer, startHubline } from '../../contenders/hubline-server.ts';
import { startPostgres } from '../../contenders/postgres.ts';
import { Load } from '../../load/load.ts';
import type { Options } from '../../options.ts';
import { temporaryFolder } from '../../process/temporary-folder.ts';
import { progress } from '../../report/progress.ts';
import type { Result } from '../../report/result.ts';
import { medianRatio, percentile } from '../../statistics.ts';
import { busyNote, contenderTable } from '../pipeline/pipeline.ts';
import { pipelineRound } from '../pipeline/pipeline-round.ts';
import type { PipelineSample } from '../pipeline/pipeline-sample.ts';

const PROCESSES = [1, 2, 3] as const;
const LIMIT = 3_000;
// More than the limit, so that every process refuses at the end.
const ASKED = 4_500;
const AT_ONCE = 48;
const STREAMED = 300;
const STREAM_GAP_MS = 10;
const REVOCATIONS = 10;
const MINUTE_MS = 60_000;

/** Measures the cost of an event with one to three processes on one PostgreSQL under the same load, and how closely they act as one. */
export async function scaleOut(options: Options): Promise<Result> {
  const { samples, rate } = await underOneLoad(options);
  progress('limits, streams and revocation');
  const together = await actAsOne(options);
  const ratio = (processes: number) =>
    medianRatio(cpuOf(samples.get(processes)), cpuOf(samples.get(PROCESSES[0])));
  const byName = new Map([...samples].map(([processes, of]) => [`${processes} processes`, of]));
  return {
    tables: [
      contenderTable(byName, `Event over HTTP → stored → signed POST → recorded, ${Math.round(rate)}/s`),
    ],
    notes: busyNote(byName),
    figures: { offered_per_s: rate, cpu_vs_one_2: ratio(2), cpu_vs_one_3: ratio(3), ...together },
    goals: {
      cpu_vs_one_2: { atMost: 1.15 },
      cpu_vs_one_3: { atMost: 1.15 },
      limit_error_percent: { atMost: 1 },
      stream_p99_ms: { atMost: 250 },
      revoked_after_max_ms: { atMost: 1_000 },
    },
  };
}

const cpuOf = (samples: readonly PipelineSample[] = []) => samples.map(({ cpuUsPerEvent }) => cpuUsPerEvent);

/** Sends one to three processes the same number of events per second: half of the rate that one alone has just reached. */
async function underOneLoad(options: Options) {
  await using load = new Load();
  const [receiverUrl = ''] = await load.receiver.call('listen', { hooks: 1, ports: 1 });
  const { events, connections, calm } = options;
  progress('the rate of one process');
  const alone = hublinePostgres(options);
  const full = await pipelineRound(load, alone, { events, connections, calm, receiverUrl });
  const rate = full.eventsPerS / 2;
  const samples = new Map<number, PipelineSample[]>(PROCESSES.map((processes) => [processes, []]));
  for (let round = 0; round < options.rounds; round += 1)
    for (const processes of round % 2 === 0 ? PROCESSES : PROCESSES.toReversed()) {
      progress(`round ${round + 1} of ${options.rounds}: ${processes} processes`);
      const contender = hublinePostgres(options, processes);
      // Each process gets a full warm-up, so that it has finished compiling its code.
      const plan = { events, connections, calm, receiverUrl, rate, warmUp: events * contender.share };
      samples.get(processes)?.push(await pipelineRound(load, contender, plan));
    }
  return { samples, rate };
}

async function actAsOne(options: Options) {
  using folder = temporaryFolder();
  await using postgres = await startPostgres(folder.path);
  const data = await createHublineData(join(folder.path, 'data'), options, postgres.url);
  const servers: HublineServer[] = [];
  try {
    for (const _ of PROCESSES) servers.push(await startHubline(data, { ...options, rateLimit: LIMIT }));
    const [first, second] = servers as [HublineServer, HublineServer];
    // The limit comes last: it uses up the requests of the minute.
    const streamed = await streamDelays(first, second);
    const revoked = await revocationDelays(first, second);
    return {
      limit_error_percent: await limitError(servers),
      stream_p50_ms: percentile(streamed, 50),
      stream_p99_ms: percentile(streamed, 99),
      revoked_after_max_ms: Math.max(...revoked),
    };
  } finally {
    for (const server of servers) await server[Symbol.asyncDispose]();
  }
}

/** The percentage by which the requests that all processes accept in a minute differ from the limit. */
async function limitError(servers: readonly HublineServer[]): Promise<number> {
  // Starts just after a full minute, so that all requests fall into one window.
  await sleep(MINUTE_MS - (Date.now() % MINUTE_MS) + 1_000);
  let accepted = 0;
  let asked = 0;
  const ask = async (): Promise<void> => {
    while (asked < ASKED) {
      const { baseUrl, apiKey, workspaceId } = servers[asked % servers.length] as HublineServer;
      asked += 1;
      const headers = { Authorization: `Bearer ${apiKey}` };
      const response = await fetch(`${baseUrl}/workspaces/${workspaceId}`, { headers });
      await response.arrayBuffer();
      if (response.ok) accepted += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return (Math.abs(accepted - LIMIT) / LIMIT) * 100;
}

/** Milliseconds from publishing an event on one process to seeing it on a stream of another. */
async function streamDelays(publishOn: HublineServer, streamOn: HublineServer): Promise<number[]> {
  const gone = new AbortController();
  const { baseUrl, apiKey, workspaceId } = streamOn;
  const response = await fetch(`${baseUrl}/workspaces/${workspaceId}/events/stream`, {
    headers: { Authorization: `Bearer ${apiKey}` },
    signal: gone.signal,
  });
  const sentAt: number[] = [];
  const delays: number[] = [];
  const reading = (async () => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      for (let found = /"n":(\d+)/.exec(text); found; found = /"n":(\d+)/.exec(text)) {
        delays.push(performance.now() - (sentAt[Number(found[1])] ?? 0));
        text = text.slice(found.index + found[0].length);
      }
      if (delays.length >= STREAMED) return;
    }
  })();
  const path = `/workspaces/${workspaceId}/events`;
  for (let n = 0; n < STREAMED; n += 1) {
    sentAt.push(performance.now());
    await publishOn.post(path, { type: 'push', payload: { n } });
    await sleep(STREAM_GAP_MS);
  }
  await reading;
  gone.abort();
  return delays;
}

/** Milliseconds from revoking a key on one process to its refusal by another. */
async function revocationDelays(revokeOn: HublineServer, useOn: HublineServer): Promise<number[]> {
  const delays: number[] = [];
  const path = `/workspaces/${useOn.workspaceId}`;
  for (let round = 0; round < REVOCATIONS; round += 1) {
    const body = { name: `key ${round}`, scopes: ['*'] };
    const { id, key } = await revokeOn.post<{ id: string; key: string }>(`${path}/api-keys`, body);
    const status = async () => {
      const headers = { Authorization: `Bearer ${key}` };
      const response = await fetch(`${useOn.baseUrl}${path}`, { headers });
      await response.arrayBuffer();
      return response.status;
    };
    await status();
    const revoked = await fetch(`${revokeOn.baseUrl}${path}/api-keys/${id}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${revokeOn.apiKey}` },
    });
    if (!revoked.ok) throw new Error(`The key was not revoked: ${revoked.status}.`);
    const revokedAt = performance.now();
    while ((await status()) === 200) await sleep(1);
    delays.push(performance.now() - revokedAt);
  }
  return delays;
}
