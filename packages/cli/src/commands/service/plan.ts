import { launchd } from './launchd.ts';
import { systemd } from './systemd.ts';
import { taskScheduler } from './task-scheduler.ts';
import type { ServiceOptions, ServicePlan } from './service-plan.ts';

const PLANS = { linux: systemd, darwin: launchd, win32: taskScheduler } as const satisfies Partial<
  Record<NodeJS.Platform, (options: ServiceOptions) => ServicePlan>
>;

/** The plan for a system; `undefined` where there is none. */
export function planFor(platform: NodeJS.Platform, options: ServiceOptions): ServicePlan | undefined {
  return Object.hasOwn(PLANS, platform) ? PLANS[platform as keyof typeof PLANS](options) : undefined;
}
