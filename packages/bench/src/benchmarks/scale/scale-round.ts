import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHubline } from '../../contenders/hubline-server.ts';
import type { Target } from '../../load/generator.worker.ts';
import type { Load } from '../../load/load.ts';
import type { Options } from '../../options.ts';
import { cpuMs, peakMemoryMb } from '../../process/usage.ts';
import { cpuUsEach } from '../../throughput.ts';
import { addOpen, countOpen, removeOpen, type Stored } from '../stored-deliveries.ts';

/** The cost of operations in one database. */
export interface Cost {
  /** An event accepted, claimed, sent and recorded. */
  deliverCpuUs: number;
  /** A page of 20 deliveries of the workspace. */
  listCpuUs: number;
  /** Time from starting the process to accepting requests. */
  servingMs: number;
  /** Time from accepting requests until the deliveries that a dead process had leased are made. */
  restartMs: number;
}

/** The start of a server that has `PENDING` deliveries to make. */
export interface Start {
  servingMs: number;
  peakMb: number;
  deliveredPerS: number;
}

export const PENDING = 1_000_000;

const OPERATIONS = 3_000;
const LEASED = 1_000;
const DEADLINE_MS = 120_000;
const PENDING_SECONDS = 10;

/** Measures one run of a server: it restarts, delivers and lists. */
export async function measureCost(load: Load, options: Options, stored: Stored): Promise<Cost> {
  addOpen(stored, LEASED, 'leased');
  // The writes of this process, gigabytes at first, must not delay the server's own.
  execFileSync('sync');
  await load.receiver.call('expect', { events: LEASED });
  await using server = await startHubline(stored, options);
  const serving = performance.now();
  await untilDelivered(load, stored);
  const restartMs = performance.now() - serving;

  const run = async (target: Target, requests: number): Promise<number> => {
    const before = cpuMs([server.pid]);
    await load.receiver.call('expect', { events: target.method === 'GET' ? 0 : requests });
    await load.generator.call('run', {
      targets: [target],
      events: requests,
      connections: options.connections,
      rate: null,
      run: `scale-${performance.now()}`,
    });
    await untilDelivered(load, stored);
    return cpuUsEach(cpuMs([server.pid]) - before, requests);
  };
  const list = server.target(`/workspaces/${stored.workspaceId}/deliveries?limit=20`, 'GET');
  // A warm-up with half as many requests compiles the code.
  await run(server.events(), OPERATIONS / 2);
  const deliverCpuUs = await run(server.events(), OPERATIONS);
  await run(list, OPERATIONS / 2);
  const listCpuUs = await run(list, OPERATIONS);
  return { deliverCpuUs, listCpuUs, servingMs: server.startedInMs, restartMs };
}

/** Starts a server on a database with a million due deliveries, and measures it for a while. */
export async function startWithPending(options: Options, stored: Stored): Promise<Start> {
  addOpen(stored, PENDING, 'pending');
  execFileSync('sync');
  const before = countOpen(stored);
  const server = await startHubline(stored, options);
  try {
    await sleep(PENDING_SECONDS * 1_000);
    const peakMb = peakMemoryMb(server.pid);
    const deliveredPerS = (before - countOpen(stored)) / PENDING_SECONDS;
    return { servingMs: server.startedInMs, peakMb, deliveredPerS };
  } finally {
    await server.kill();
    removeOpen(stored);
  }
}

async function untilDelivered(load: Load, stored: Stored): Promise<void> {
  const { missing } = await load.receiver.call('whenAll', { withinMs: DEADLINE_MS });
  if (missing > 0) throw new Error(`${missing} deliveries did not arrive.`);
  while (countOpen(stored) > 0) await sleep(5);
}
