import { expect, it } from 'vitest';
import { Tally } from '../../domain/stats/tally.ts';
import { failureRows } from './stats-rows.ts';

const MINUTE = 60_000;

/** A failed attempt that was recorded in a minute, and began before. */
const failed = (webhookId: string, minute: number, startedAt: number) => ({
  workspaceId: 'ws_1',
  webhookId,
  at: minute * MINUTE,
  ok: false,
  startedAt,
  durationMs: 5,
  responseStatus: 503,
  errorKind: null,
  message: null,
  ended: null,
});

it('names the last failure of each webhook once, in whichever minutes it failed', () => {
  const tally = new Tally();
  for (const one of [
    failed('whk_1', 1, 100),
    failed('whk_2', 1, 50),
    failed('whk_1', 3, 300),
    failed('whk_1', 2, 200),
  ])
    tally.count(one);
  expect(failureRows(tally).map(({ webhook_id, at }) => [webhook_id, Date.parse(at)])).toEqual([
    ['whk_1', 300],
    ['whk_2', 50],
  ]);
});
