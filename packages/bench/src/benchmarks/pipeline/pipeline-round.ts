import { availableParallelism } from 'node:os';
import { nowUs } from '../../clock.ts';
import type { Contender } from '../../contenders/contender.ts';
import { untilRecorded } from '../../contenders/until-recorded.ts';
import type { Load } from '../../load/load.ts';
import { machineBusyMs, untilCalm } from '../../process/machine.ts';
import { temporaryFolder } from '../../process/temporary-folder.ts';
import { cpuMs, memoryMb } from '../../process/usage.ts';
import { figuresOf, type PipelineSample } from './pipeline-sample.ts';

interface Plan {
  events: number;
  connections: number;
  receiverUrl: string;
  /** The longest wait for a quiet machine, in seconds. */
  calm: number;
  /** Events per second to send, whatever the contender could accept. Default: as many as it accepts. */
  rate?: number;
  /** Events for each process before anything is measured, whatever its share. Default: a quarter of `events`. */
  warmUp?: number;
}

const DEADLINE_MS = 120_000;
const LATENCY_SECONDS = 3;

/** Starts a contender on an empty database, warms it up, and measures it: at full and at half speed, or at the rate of the plan. */
export async function pipelineRound(load: Load, contender: Contender, plan: Plan): Promise<PipelineSample> {
  using folder = temporaryFolder();
  const { receiverUrl, connections } = plan;
  await using running = await contender.start({ folder: folder.path, receiverUrl });
  let total = 0;

  const send = async (events: number, rate: number | null) => {
    await load.receiver.call('expect', { events });
    const arrived = load.receiver.call('whenAll', { withinMs: DEADLINE_MS });
    const [sent, received] = await Promise.all([
      load.generator.call('run', {
        targets: running.targets ?? [running.target],
        events,
        connections,
        rate,
        run: `${contender.name}-${total}`,
      }),
      arrived,
    ]);
    if (received.missing > 0) throw new Error(`${received.missing} of ${events} events did not arrive.`);
    total += events;
    await untilRecorded(running, total);
    return { sent, received, seconds: (nowUs() - sent.startedAtUs) / 1_000_000 };
  };

  // The number of events is rounded up to whole requests.
  const { batch = 1 } = running.target;
  const rounded = (events: number) => Math.ceil(events / batch) * batch;
  const events = rounded(plan.events * contender.share);
  // V8 compiles a function after so many calls: a slow contender must have had as many as a fast one, and each of several processes too.
  const { rate = null, warmUp = plan.events / 4 } = plan;
  await send(rounded(warmUp * (running.targets?.length ?? 1)), null);
  await untilCalm(plan.calm);
  const everybody = [...running.pids, process.pid];
  const loadPids = [load.generator.pid, load.receiver.pid];
  const before = {
    cpu: cpuMs(running.pids),
    load: cpuMs(loadPids),
    known: cpuMs(everybody),
    busy: machineBusyMs(),
  };
  const { sent, received, seconds } = await send(events, rate);
  const figures = figuresOf({
    events,
    cores: availableParallelism(),
    seconds,
    acceptedUs: sent.endedAtUs - sent.startedAtUs,
    cpuMs: cpuMs(running.pids) - before.cpu,
    loadCpuMs: cpuMs(loadPids) - before.load,
    othersCpuMs: machineBusyMs() - before.busy - (cpuMs(everybody) - before.known),
  });
  const memory = memoryMb(running.pids);
  const half = figures.eventsPerS / 2;
  const atHalf = () => send(rounded(half * LATENCY_SECONDS), half);
  const unhurried = rate === null ? (await atHalf()).received : received;
  return {
    ...figures,
    memoryMb: memory,
    p50MsHalf: unhurried.p50Ms,
    p99MsHalf: unhurried.p99Ms,
    bytesPerEvent: (running.stored?.() ?? Number.NaN) / total,
  };
}
