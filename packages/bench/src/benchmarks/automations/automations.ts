import { setTimeout as sleep } from 'node:timers/promises';
import { createHublineData, type HublineServer, startHubline } from '../../contenders/hubline-server.ts';
import { Load } from '../../load/load.ts';
import type { Options } from '../../options.ts';
import { temporaryFolder } from '../../process/temporary-folder.ts';
import { cpuMs } from '../../process/usage.ts';
import { progress } from '../../report/progress.ts';
import type { Result } from '../../report/result.ts';
import {
  automationFigures,
  type AutomationSample,
  SCENARIOS,
  type ScenarioName,
} from './automation-figures.ts';
import { median } from '../../statistics.ts';
import { cpuUsEach } from '../../throughput.ts';

const WARM_UP_EVENTS = 500;
const STORED = 10_000;
const BATCH = 1_000;
const POLL_MS = 50;

/** Measures what the automations and notification rules of a workspace cost an event that matches none, one or all of them. */
export async function automations(options: Options): Promise<Result> {
  await using load = new Load();
  const samples = Object.fromEntries(SCENARIOS.map((name) => [name, [] as AutomationSample[]])) as Record<
    ScenarioName,
    AutomationSample[]
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
        title: `${options.events} events of 1 KB (10 and 100 matched: a tenth, a hundredth), one in a request, ${options.connections} connections`,
        columns: ['', 'events/s', 'CPU µs/event'],
        rows: SCENARIOS.map((name) => [
          name,
          median(samples[name].map(({ perS }) => perS)),
          median(samples[name].map(({ cpuUs }) => cpuUs)),
        ]),
      },
    ],
    notes: [
      '10 and 100 are the number of automations, and of notification rules as well. Unmatched ones have the type of the event and a condition that does not hold. A matched automation publishes an event, and a matched rule notifies the owner in the dashboard; that work is included. Waiting runs are compared with the same number of stored events without runs.',
    ],
    ...automationFigures(samples),
  };
}

/** The numbers of automations and of rules in a scenario, and whether an event matches them. */
const COUNTS: Partial<Record<ScenarioName, { automations: number; rules: number; match: boolean }>> = {
  '10 unmatched': { automations: 10, rules: 10, match: false },
  '100 unmatched': { automations: 100, rules: 100, match: false },
  '1 matched': { automations: 1, rules: 0, match: true },
  '10 matched': { automations: 10, rules: 10, match: true },
  '100 matched': { automations: 100, rules: 100, match: true },
};

const trigger = { event: 'event.created', types: ['deploy'] };
const action = {
  type: 'create_event',
  event_type: 'deployed',
  payload: { number: '{{ event.payload.mark }}' },
};
const rule = {
  name: 'bench',
  notify_on: ['event.created'],
  types: ['deploy'],
  destinations: [{ kind: 'in_app', roles: ['owner'] }],
};

async function play(load: Load, name: ScenarioName, options: Options): Promise<AutomationSample> {
  using folder = temporaryFolder();
  await using server = await startHubline(await createHublineData(folder.path, options), options);
  const path = `/workspaces/${server.workspaceId}`;
  const create = (body: object) => server.post(`${path}/automations`, { name: 'bench', ...body });
  const { automations: started = 0, rules = 0, match = false } = COUNTS[name] ?? {};
  const value = match ? 'production' : 'staging';
  const conditions = { field: 'event.payload.environment', op: 'eq', value };
  for (let n = 0; n < started; n += 1) await create({ trigger, conditions, actions: [action] });
  for (let n = 0; n < rules; n += 1) await server.post(`${path}/notification-rules`, { ...rule, conditions });
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
  // With ten automations, a tenth of the events starts the same number of runs and messages.
  const divisor = match ? started : 1;
  const events = Math.ceil(options.events / divisor);
  await run(Math.ceil(WARM_UP_EVENTS / divisor));
  await untilIdle(server);
  const before = cpuMs([server.pid]);
  const { startedAtUs, endedAtUs } = await run(events);
  const perS = events / ((endedAtUs - startedAtUs) / 1e6);
  await untilIdle(server);
  return { perS, cpuUs: cpuUsEach(cpuMs([server.pid]) - before, events) };
}

/** Stores ten thousand events. */
async function store(server: HublineServer, path: string): Promise<void> {
  const events = Array.from({ length: BATCH }, () => ({ type: 'waits', payload: {} }));
  for (let sent = 0; sent < STORED; sent += BATCH) await server.post(`${path}/events/batch`, { events });
}

/** Stores ten thousand events, each of which starts a run that waits for a day. */
async function wait(
  server: HublineServer,
  path: string,
  create: (body: object) => Promise<unknown>,
): Promise<void> {
  await create({
    trigger: { event: 'event.created', types: ['waits'] },
    actions: [{ type: 'wait', seconds: 24 * 60 * 60 }],
  });
  await store(server, path);
  await untilIdle(server);
}

/** Waits until the server has no job that is due or under way. */
async function untilIdle(server: HublineServer): Promise<void> {
  const { port } = server.target('');
  for (;;) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const busy = text.matchAll(/^hubline_jobs\{.*state="(?:due|running)".*\} (\d+)$/gm);
    if (Array.from(busy, ([, jobs]) => Number(jobs)).every((jobs) => jobs === 0)) return;
    await sleep(POLL_MS);
  }
}
