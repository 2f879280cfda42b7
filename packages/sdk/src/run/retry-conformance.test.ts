import { describe, expect, it } from 'vitest';
import { clientOf } from '../../test/client.ts';
import { retryCases } from '../../test/retry-cases.ts';
import { scripted } from '../../test/scripted-server.ts';
import type { HublineError } from '../core/errors.ts';

// The table is published as docs/reference/retries.md: every promise there is tested here.
describe.each(Object.entries(retryCases))('%s', (_section, cases) => {
  it.each(cases)('$given', async ({ steps, options, chance = 0, ...expected }) => {
    await using server = await scripted(...steps);
    const { client, time } = clientOf(server, options);
    time.chance = chance;
    const error = await client.workspaces
      .update('ws_1', { name: 'Acme' })
      .then(() => null)
      .catch((failure: unknown) => failure as HublineError);

    expect(error?.name ?? null).toBe(expected.error);
    expect(server.requests).toHaveLength(expected.requests);
    expect(server.waits).toEqual(expected.waits);
    expect(time.open).toBe(0);
    if (expected.retryAfter) expect(error).toMatchObject({ retryAfter: expected.retryAfter });
    // All attempts carry one key, and the error has it, so that the write can be finished later.
    const [key, ...others] = new Set(server.requests.map(({ headers }) => headers['idempotency-key']));
    expect([typeof key, others]).toEqual(['string', []]);
    if (error) expect(error.idempotencyKey).toBe(key);
  });
});
