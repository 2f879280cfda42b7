import { listDueTimes } from '../db/jobs.ts';
import type { DeliveryStore, LeasedDelivery } from '../delivery/delivery-store.ts';
import type { CallResult } from '../delivery/senders/call.ts';
import { parseRetryAfter } from '../outbound/retry-after.ts';
import { JobRunner } from '../jobs/runner.ts';
import { automationRunJob } from '../services/automations/runs/automation-run-job.ts';
import { createDeliveryStore } from '../services/delivery-store/create-delivery-store.ts';
import { notificationDigestJob } from '../services/notifications/messages/notification-digest-job.ts';
import { matchRulesJob } from '../services/notifications/rules/match-rules-job.ts';
import { sendNotificationJob } from '../services/notifications/messages/send-notification-job.ts';
import { addUpStats } from '../services/workspaces/add-up-stats.ts';
import { Agenda } from './agenda.ts';
import { contextOf } from './caller.ts';
import { type Connected, receiveNext } from './incoming.ts';
import type { Random } from './random.ts';
import { respond } from './receivers.ts';
import type { Act } from './workspace.ts';
import { type World, WRITER } from './world.ts';

type Step =
  | { kind: 'event' }
  | { kind: 'attempt'; delivery: LeasedDelivery }
  | { kind: 'result'; delivery: LeasedDelivery; startedAt: Date; result: CallResult }
  | { kind: 'retry'; webhookId: string }
  | { kind: 'jobs' }
  | { kind: 'act'; act: Act };

interface Plan {
  random: Random;
  connected: Connected;
  /** The times at which something happens in a tool, in milliseconds since the epoch. */
  times: readonly number[];
  acts: readonly Act[];
  /** The end of the history. */
  until: number;
}

// The time from the commit of an event to the first byte of an attempt.
const BEGIN_MS = 4;
const CLAIM_MAX = 100;
const HOUR_MS = 3_600_000;

/**
 * Lets time pass: events come in through their integrations, deliveries are attempted, retried and given up, and jobs
 * run. The services of the server write everything, step by step, in chronological order. Work that is still open at the
 * end is left as a server leaves it when it stops.
 */
export async function passTime(world: World, { random, connected, times, acts, until }: Plan): Promise<void> {
  const { deps, clock } = world;
  const deliveries = createDeliveryStore(deps);
  const agenda = new Agenda<Step>();
  for (const at of times) agenda.add(at, { kind: 'event' });
  for (const act of acts) agenda.add(act.at, { kind: 'act', act });
  const monotonic = () => clock.ms;
  const kinds = [
    automationRunJob(monotonic),
    matchRulesJob,
    sendNotificationJob(monotonic),
    notificationDigestJob,
  ];
  const kindNames = kinds.map(({ name }) => name);
  const jobs = new JobRunner(deps, { kinds, owner: () => WRITER, timer: () => () => {}, monotonic });
  await jobs.start();

  const steps: { [Kind in Step['kind']]: (step: Extract<Step, { kind: Kind }>) => Promise<void> | void } = {
    event: () => receiveNext(contextOf(deps), connected, { random, now: clock.now() }),

    attempt({ delivery }) {
      const { url } = delivery.endpoint;
      const result = respond(url, { random, hoursAgo: (until - clock.ms) / HOUR_MS });
      if (!result) throw new Error(`${url} is not a simulated receiver.`);
      agenda.add(clock.ms + result.durationMs, { kind: 'result', delivery, startedAt: clock.now(), result });
    },

    async result({ delivery, startedAt, result: { retryAfter, localFailure: _, ...result } }) {
      const retryAfterMs = retryAfter === null ? null : parseRetryAfter(retryAfter, clock.now());
      const outcome = { ...result, startedAt, retryAfterMs };
      const [due] = await deliveries.record([{ delivery, outcome }]);
      if (due != null) agenda.add(due, { kind: 'retry', webhookId: delivery.endpoint.id });
    },

    async retry({ webhookId }) {
      const request = { webhookId, limits: { initial: 0, retry: CLAIM_MAX } };
      const [claimed] = await deliveries.claim(WRITER, [request]);
      for (const delivery of claimed?.deliveries ?? []) agenda.add(clock.ms, { kind: 'attempt', delivery });
    },

    act: async ({ act }) => void (await act.run()),

    async jobs() {
      world.hasJobs = false;
      jobs.wake();
      await jobs.idle();
      const dues = await listDueTimes(deps.store.read, WRITER, kindNames);
      const due = Math.min(...dues.map((each) => each.due_at));
      if (Number.isFinite(due)) agenda.add(due, { kind: 'jobs' });
    },
  };

  for (let next = agenda.take(until); next; next = agenda.take(until)) {
    clock.set(next.at);
    const { item } = next;
    await (steps[item.kind] as (step: Step) => Promise<void> | void)(item);
    for (const delivery of world.offered.splice(0))
      agenda.add(clock.ms + BEGIN_MS, { kind: 'attempt', delivery });
    if (world.hasJobs) await steps.jobs({ kind: 'jobs' });
  }
  clock.set(until);
  await giveBack(deliveries, agenda.rest);
  await jobs.stop();
  await addUpStats(deps);
}

/** Ends the leases of the deliveries under way, so that the server attempts them at once. */
async function giveBack(deliveries: DeliveryStore, rest: readonly Step[]): Promise<void> {
  for (const step of rest)
    if (step.kind === 'attempt' || step.kind === 'result') await deliveries.returnLater(step.delivery, 0);
}
