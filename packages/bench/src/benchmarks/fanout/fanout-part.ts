import type { FloorMethods } from '../../contenders/workers/floor.worker.ts';
import type { HublineServer } from '../../contenders/hubline-server.ts';
import { nowUs } from '../../clock.ts';
import { type Throughput, throughputOf } from '../../throughput.ts';
import type { Target } from '../../load/generator.worker.ts';
import type { Load } from '../../load/load.ts';
import type { Listening } from '../../load/receiver.worker.ts';
import { inGroups } from '../../process/in-groups.ts';
import { cpuMs } from '../../process/usage.ts';
import type { Worker } from '../../process/worker.ts';

const PORTS = 50;
const DEADLINE_MS = 120_000;
// The concurrency limit of the delivery engine. More calls at once only make both slower on two cores.
const BARE_CONCURRENCY = 256;

/** One way to cause many deliveries at once. */
export interface Part {
  name: string;
  /** The number of workspaces, then the webhooks and the events of each. */
  workspaces: number;
  webhooks: number;
  events: number;
}

/** A part with its webhooks registered. */
export interface Prepared extends Part {
  targets: readonly Target[];
  urls: readonly string[];
  calls: number;
}

/** Registers the webhooks of a part: `hook` numbers run on from workspace to workspace. */
export async function prepare(
  { load, server, tls }: { load: Load; server: HublineServer; tls?: Listening['tls'] },
  part: Part,
): Promise<Prepared> {
  const hooks = part.workspaces * part.webhooks;
  const urls = await load.receiver.call('listen', { hooks, ports: PORTS, ...(tls && { tls }) });
  const targets: Target[] = [];
  for (let index = 0; index < part.workspaces; index += 1) {
    const slug = `${part.name.replaceAll('_', '-')}-${index}`;
    const { id } = await server.post<{ id: string }>('/workspaces', { name: slug, slug });
    const own = urls.slice(index * part.webhooks, (index + 1) * part.webhooks);
    await inGroups(own, (url) => server.webhook(url, id));
    targets.push(server.events(id));
  }
  return { ...part, targets, urls, calls: hooks * part.events };
}

/** Publishes and waits until every webhook has been called. Returns the start time, in microseconds. */
export async function deliver(load: Load, { targets, urls, events, calls }: Prepared): Promise<number> {
  const published = events * targets.length;
  await load.receiver.call('expect', { events: published, hooks: urls.length, calls });
  const [sent, received] = await Promise.all([
    load.generator.call('run', {
      targets,
      events: published,
      connections: Math.min(targets.length, 16),
      rate: null,
      run: `fanout-${nowUs()}`,
    }),
    load.receiver.call('whenAll', { withinMs: DEADLINE_MS }),
  ]);
  if (received.missing > 0) throw new Error(`${received.missing} of ${calls} deliveries did not arrive.`);
  return sent.startedAtUs;
}

/** Makes the calls of a part with undici alone. Returns their duration, in microseconds. */
export async function postAll(bare: Worker<FloorMethods>, { urls, calls }: Prepared): Promise<number> {
  const startedAtUs = nowUs();
  await bare.call('post', { events: calls, group: BARE_CONCURRENCY, urls });
  return nowUs() - startedAtUs;
}

/** Measures the CPU time that a process spends on the calls of a part; `run` returns their duration in microseconds. */
export async function measure(
  pid: number,
  { calls }: Prepared,
  run: () => Promise<number>,
): Promise<Throughput> {
  const before = cpuMs([pid]);
  const tookUs = await run();
  return throughputOf(calls, { tookUs, cpuMs: cpuMs([pid]) - before });
}
