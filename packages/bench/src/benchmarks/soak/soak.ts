import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createHublineData, type HublineServer, startHubline } from '../../contenders/hubline-server.ts';
import type { Ledger, SoakMethods } from '../../load/soak.worker.ts';
import type { Options } from '../../options.ts';
import { temporaryFolder } from '../../process/temporary-folder.ts';
import { holdingsOf } from '../../process/usage.ts';
import { Worker } from '../../process/worker.ts';
import { progress } from '../../report/progress.ts';
import type { Result } from '../../report/result.ts';
import { type SoakSample, SOAK_GOALS, soakFigures, soakRows } from './soak-figures.ts';

const SAMPLE_EVERY_MS = 5_000;
/** Samples between two lines of progress. */
const REPORT_EVERY = 60;
/** The longest wait for the last events. It is enough for an outage of the failing webhook, whose refused calls succeed within two retries. */
const DRAIN_MS = 180_000;

/** Runs the server for an hour under a steady load, and measures what grows and what is lost. */
export async function soak(options: Options): Promise<Result> {
  using folder = temporaryFolder();
  const data = await createHublineData(folder.path, options);
  await using server = await startHubline(data, options);
  await using load = new Worker<SoakMethods>(new URL('../../load/soak.worker.ts', import.meta.url));
  const idleMb = holdingsOf(server.pid).memoryMb;
  for (const url of await load.call('listen', undefined)) await server.webhook(url);
  const { port } = server.target('/');
  const { workspaceId, apiKey } = data;
  await load.call('start', { port, apiKey, workspaceId, ingest: await ingestOf(server) });

  const samples: SoakSample[] = [];
  const started = performance.now();
  for (let due = SAMPLE_EVERY_MS; due <= options.minutes * 60_000; due += SAMPLE_EVERY_MS) {
    await pause(Math.max(0, started + due - performance.now()));
    const sample = await sampleOf(server, (performance.now() - started) / 1_000);
    samples.push(sample);
    if (samples.length % REPORT_EVERY === 0) reportProgress(sample, await load.call('ledger', undefined));
  }
  const ledger = await load.call('finish', { withinMs: DRAIN_MS });
  return describe({ samples, ledger, idleMb });
}

const total = (errors: Ledger['errors']): number =>
  Object.values(errors).reduce((sum, times) => sum + times, 0);

/** An integration for the events that come in from outside. */
async function ingestOf(server: HublineServer): Promise<{ path: string; secret: string }> {
  const body = { provider: 'custom', workspace_id: server.workspaceId, credentials: {} };
  const { ingest } = await server.post<{ ingest: { url: string; secret: string } }>(
    '/integrations/connect',
    body,
  );
  return { path: new URL(ingest.url).pathname, secret: ingest.secret };
}

async function sampleOf(server: HublineServer, atS: number): Promise<SoakSample> {
  const metrics = await (await fetch(new URL('/metrics', server.baseUrl))).text();
  const lag = (name: string) =>
    Number(new RegExp(`^hubline_loop_lag_${name}_seconds (\\S+)`, 'm').exec(metrics)?.[1]) * 1_000;
  const walMb = (statSync(`${server.database}-wal`, { throwIfNoEntry: false })?.size ?? 0) / 1e6;
  return { atS, ...holdingsOf(server.pid), walMb, lagP99Ms: lag('p99'), lagMaxMs: lag('max') };
}

function reportProgress(
  { atS, memoryMb, descriptors }: SoakSample,
  { accepted, errors, missing }: Ledger,
): void {
  const open = Object.entries(missing).map(([name, count]) => `${name} ${count}`);
  progress(
    `${Math.round(atS / 60)} min: ${Math.round(memoryMb)} MB, ${descriptors} descriptors, ${accepted} events, ${total(errors)} errors; on their way: ${open.join(', ')}`,
  );
}

function describe({
  samples,
  ledger,
  idleMb,
}: {
  samples: readonly SoakSample[];
  ledger: Ledger;
  idleMb: number;
}): Result {
  const { accepted, errors, refusedCalls, missing } = ledger;
  const lost = missing.steady + missing.failing + missing.stream;
  return {
    tables: [
      {
        title: 'The server over time: medians of a twelfth each, and the worst lag',
        columns: ['to minute', 'RSS MB', 'descriptors', 'threads', 'WAL MB', 'lag p99 ms', 'max'],
        rows: soakRows(samples),
      },
      {
        title: 'Accepted events that have not arrived',
        columns: ['at', 'events'],
        rows: Object.entries(missing),
      },
    ],
    notes: [
      `${accepted} events accepted, ${total(errors)} failed requests (${JSON.stringify(errors)}), ${refusedCalls} calls refused by the failing webhook; ${Math.round(idleMb)} MB before the load.`,
    ],
    figures: { ...soakFigures(samples, lost), errors: total(errors) },
    goals: SOAK_GOALS,
  };
}
