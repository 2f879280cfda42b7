import { expect, it, onTestFinished, vi } from 'vitest';
import type { QuotaRequest, QuotaStore } from '../domain/quota.ts';
import { whenPrepared } from './rate-limiter.ts';
import { sharedLimiter } from './shared-rate-limiter.ts';

const NOW = new Date(Date.UTC(2026, 0, 1));
const LIMIT = 3;
// Beyond this many, names share one block.
const NAMES_MAX = 200_000;

/** The quotas of a database without one, and the names that they were taken for. */
function fakeQuotas() {
  const used = new Map<string, number>();
  const quotas: QuotaStore = {
    async takeQuota({ name, limit, waiting, spent }: QuotaRequest) {
      const before = (used.get(name) ?? 0) + spent;
      const granted = Math.max(0, Math.min(waiting, limit - before));
      used.set(name, before + granted);
      return { granted, used: before + granted };
    },
    returnQuota: async () => {},
  };
  return { quotas, used };
}

it('names beyond those that a server counts share one quota, in one row', async () => {
  const { quotas, used } = fakeQuotas();
  const limiter = sharedLimiter(quotas)({ kind: 'address', limit: LIMIT, strict: true });
  for (let count = 0; count < NAMES_MAX; count += 1) limiter.look(`counted ${count}`, NOW);
  const allowed: boolean[] = [];
  for (let count = 0; count <= LIMIT; count += 1) {
    await limiter.prepare(`more ${count}`, NOW);
    allowed.push(limiter.take(`more ${count}`, NOW).allowed);
  }
  expect(allowed).toEqual([true, true, true, false]);
  expect([...used.values()]).toEqual([LIMIT]);
  // A name that was there before has its own.
  await limiter.prepare('counted 0', NOW);
  expect(limiter.take('counted 0', NOW).allowed).toBe(true);
});

it('lets through no more requests than it has got quota for, however many wait for it together', async () => {
  const { quotas } = fakeQuotas();
  const limiter = sharedLimiter(quotas)({ kind: 'account', limit: LIMIT });
  const ask = async () =>
    whenPrepared(
      () => limiter.prepare('acme', NOW),
      () => limiter.take('acme', NOW).allowed,
    );
  const allowed = await Promise.all(Array.from({ length: 4 * LIMIT }, ask));
  expect(allowed.filter(Boolean)).toHaveLength(LIMIT);
});

it('counts what it let through while the database did not respond, also after it was idle', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { quotas } = fakeQuotas();
  let responds = false;
  const limiter = sharedLimiter({
    ...quotas,
    takeQuota: async (request) => (responds ? quotas.takeQuota(request) : null),
  })({ kind: 'account', limit: LIMIT });
  const ask = async () => {
    await limiter.prepare('acme', NOW);
    return limiter.take('acme', NOW).allowed;
  };
  expect([await ask(), await ask()]).toEqual([true, true]);
  await vi.advanceTimersByTimeAsync(1_000);
  responds = true;
  expect([await ask(), await ask()]).toEqual([true, false]);
});
