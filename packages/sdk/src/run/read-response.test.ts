import { LIMITS } from '@hubline/contract/constants';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readDate, readRetryAfter } from './read-response.ts';

it('reads a wait of whole seconds, or none, whatever the headers say', () => {
  const header = fc.oneof(
    fc.string(),
    fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    fc.constantFrom('1e9', '-1', 'NaN', '٣', ' 5 ', 'Mon, 99 Xyz 0000 99:99:99 GMT'),
  );
  fc.assert(
    fc.property(fc.constantFrom(409, 429, 500, 503), header, header, (status, after, reset) => {
      const asked = readRetryAfter({ status, headers: { 'retry-after': after, 'x-ratelimit-reset': reset } });
      expect(asked === null || (Number.isSafeInteger(asked) && asked > 0)).toBe(true);
    }),
  );
});

it('a reset never asks for more than the window of the rate limit, whatever the clocks say', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 45 }), fc.date({ noInvalidDate: true }), (reset, date) => {
      const headers = { 'x-ratelimit-reset': String(reset), date: date.toUTCString() };
      const asked = readRetryAfter({ status: 429, headers });
      expect(asked ?? 1).toBeGreaterThan(0);
      expect(asked ?? 1).toBeLessThanOrEqual(LIMITS.windowMs / 1_000);
    }),
  );
});

it.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
  'reads the HTTP date %s',
  (text) => {
    expect(readDate(text)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
  },
);

it.each(['', '1', 'soon', '2026-01-01T00:00:00Z', 'Sun', 'Sunny days'])(
  'does not take %j for a date',
  (text) => {
    expect(readDate(text)).toBeNull();
  },
);
