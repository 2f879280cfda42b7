import { describe, expect, it } from 'vitest';
import type { QuotaRequest, QuotaStore } from '../domain/quota.ts';
import { processLimiter, type NewLimiter } from './rate-limiter.ts';
import { sharedLimiter } from './shared-rate-limiter.ts';

const START = Date.UTC(2026, 0, 1);
const LIMIT = 3;

/** Quotas of a database, without one. */
function fakeQuotas(): QuotaStore {
  const used = new Map<string, number>();
  return {
    async takeQuota({ name, windowStart, limit, waiting, spent }: QuotaRequest) {
      const key = `${name} ${windowStart}`;
      const before = (used.get(key) ?? 0) + spent;
      const granted = Math.max(0, Math.min(waiting, limit - before));
      used.set(key, before + granted);
      return { granted, used: before + granted };
    },
    returnQuota: async () => {},
  };
}

describe.each<[who: string, newLimiter: () => NewLimiter]>([
  ['one process', () => processLimiter],
  ['processes together', () => sharedLimiter(fakeQuotas())],
])('a limit that is counted by %s', (_who, newLimiter) => {
  function start(windowMs: number) {
    const limiter = newLimiter()({ kind: 'test', limit: LIMIT, windowMs, strict: true });
    return {
      /** Charges a request that began at `ms`; reports whether it was allowed. */
      async take(ms: number): Promise<boolean> {
        const now = new Date(START + ms);
        await limiter.prepare('a', now);
        return limiter.take('a', now).allowed;
      },
      giveBack: (ms: number) => limiter.giveBack('a', new Date(START + ms)),
    };
  }

  it.each([60_000, 1_000])(
    'counts a late request in the latest window of %i ms, and forgets nothing',
    async (windowMs) => {
      const { take } = start(windowMs);
      for (let count = 0; count < LIMIT; count += 1) expect(await take(120_000)).toBe(true);
      expect([await take(120_000), await take(119_999), await take(0), await take(120_000)]).toEqual([
        false,
        false,
        false,
        false,
      ]);
    },
  );

  it('begins again with the next window, and when the clock was set back', async () => {
    const { take } = start(60_000);
    for (let count = 0; count < LIMIT; count += 1) await take(600_000);
    expect([await take(600_000), await take(660_000), await take(0)]).toEqual([false, true, true]);
  });

  it('credits a charge that is given back to its own window, and to no later one', async () => {
    const { take, giveBack } = start(60_000);
    for (let count = 0; count < LIMIT; count += 1) await take(59_999);
    giveBack(59_999);
    expect([await take(59_999), await take(59_999)]).toEqual([true, false]);
    for (let count = 0; count < LIMIT; count += 1) await take(60_000);
    giveBack(59_999);
    expect(await take(60_000)).toBe(false);
  });
});
