import { setTimeout as sleep } from 'node:timers/promises';
import { createHublineData, type HublineServer, startHubline } from '../contenders/hubline-server.ts';
import { Load } from '../load/load.ts';
import type { Options } from '../options.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';
import { cpuMs } from '../process/usage.ts';
import { progress } from '../report/progress.ts';
import type { Result } from '../report/result.ts';
import { automationFigures, type Sample, SCENARIOS, type ScenarioName } from './automation-figures.ts';
import { median } from '../statistics.ts';

const WARM_UP_EVENTS = 500;
const STORED = 10_000;
const BATCH = 1_000;
const POLL_MS = 50;

/** Automations of a workspace, and what they cost an event that starts none of them, or one. */
export async function automations(options: Options): Promise<Result> {
  await using load = new Load();
  const samples = Object.fromEntries(SCENARIOS.map((name) => [name, [] as Sample[]])) as Record<
    ScenarioName,
    Sample[]
  >;
  for (let round = 0; round < options.rounds; round += 1) {
    const shift = round % SCENARIOS.length;
    for (const name of [...SCENARIOS.slice(shift), ...SCENARIOS.slice(0, shift)]) {
      progress(`round ${round + 1} of ${options.rounds}: ${name}`);
      samples[name].push(await play(load, name, options));
    }
  }
  return {
    tables: [
      {
        title: `${options.events} events of 1 KB, one in a request, ${options.connections} connections`,
        columns: ['', 'events/s', 'CPU µs/event'],
        rows: SCENARIOS.map((name) => [
          name,
          median(samples[name].map(({ perS }) => perS)),
          median(samples[name].map(({ cpuUs }) => cpuUs)),
        ]),
      },
    ],
    notes: [
      'Unmatched automations have the type of the event and a condition that does not hold. The matched one publishes an event; its runs are waited for and counted. Waiting runs are compared with as many stored events without any.',
    ],
    ...automationFigures(samples),
  };
}

const trigger = { event: 'event.created', types: ['deploy'] };
const action = {
  type: 'create_event',
  event_type: 'deployed',
  payload: { number: '{{ event.payload.mark }}' },
};

async function play(load: Load, name: ScenarioName, options: Options): Promise<Sample> {
  using folder = temporaryFolder();
  await using server = await startHubline(await createHublineData(folder.path, options), options);
  const path = `/workspaces/${server.workspaceId}`;
  const create = (body: object) =>
    server.post<{ id: string }>(`${path}/automations`, { name: 'bench', ...body });
  const unmatched = name === '10 unmatched' ? 10 : name === '100 unmatched' ? 100 : 0;
  const conditions = { field: 'event.payload.environment', op: 'eq', value: 'staging' };
  for (let n = 0; n < unmatched; n += 1) await create({ trigger, conditions, actions: [action] });
  const matched = name === '1 matched' ? await create({ trigger, actions: [action] }) : null;
  if (name === '10,000 stored') await store(server, path);
  if (name === '10,000 waiting') await wait(server, path, create);
  const run = (events: number) =>
    load.generator.call('run', {
      targets: [server.events()],
      events,
      connections: options.connections,
      rate: null,
      run: `automations-${SCENARIOS.indexOf(name)}-${events}`,
    });
  await run(WARM_UP_EVENTS);
  if (matched) await untilDone(server, `${path}/automations/${matched.id}/runs`);
  const before = cpuMs([server.pid]);
  const { startedAtUs, endedAtUs } = await run(options.events);
  const perS = options.events / ((endedAtUs - startedAtUs) / 1e6);
  if (matched) await untilDone(server, `${path}/automations/${matched.id}/runs`);
  return { perS, cpuUs: ((cpuMs([server.pid]) - before) * 1_000) / options.events };
}

/** Stores ten thousand events. */
async function store(server: HublineServer, path: string): Promise<void> {
  const events = Array.from({ length: BATCH }, () => ({ type: 'waits', payload: {} }));
  for (let sent = 0; sent < STORED; sent += BATCH) await server.post(`${path}/events/batch`, { events });
}

/** Lets a run of each of them wait for a day. */
async function wait(
  server: HublineServer,
  path: string,
  create: (body: object) => Promise<{ id: string }>,
): Promise<void> {
  const { id } = await create({
    trigger: { event: 'event.created', types: ['waits'] },
    actions: [{ type: 'wait', seconds: 24 * 60 * 60 }],
  });
  await store(server, path);
  await untilDone(server, `${path}/automations/${id}/runs`);
}

/** Waits until no run is queued or under way. */
async function untilDone(server: HublineServer, path: string): Promise<void> {
  const { port, headers } = server.target('');
  for (const status of ['queued', 'running']) {
    for (;;) {
      const url = `http://127.0.0.1:${port}/v1${path}?limit=1&status=${status}`;
      const { data } = (await (await fetch(url, { headers })).json()) as { data: unknown[] };
      if (data.length === 0) break;
      await sleep(POLL_MS);
    }
  }
}
