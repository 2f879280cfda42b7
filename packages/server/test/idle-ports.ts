import type { Deps } from '../src/context.ts';

/** Stand-ins for the delivery engine and the job runner that take nothing and do nothing. */
export const idlePorts: Pick<Deps, 'engine' | 'jobs'> = {
  engine: {
    wake() {},
    prefetch: () => ({ lease: { owner: '', until: '' }, takes: () => false }),
    offer() {},
  },
  jobs: { wake() {}, fairDueAt: (_kind, _workspaceId, now) => now, leaseFor: () => null, offer() {} },
};
