import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { startWorkspace } from '../api/support/workspace.ts';
import { openStore } from '../delivery/support.ts';

it('a database that does not respond takes the queue from /metrics, and nothing else', async () => {
  const workspace = await startWorkspace();
  const scrape = async () => (await fetch(`${workspace.server.url}/metrics`)).text();
  const queue = (text: string) => /^hubline_queue_oldest_due_seconds (\S+)$/m.exec(text)?.[1];
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
  const { promise: scraped, resolve: isScraped } = Promise.withResolvers<void>();
  // Stands for a database that hangs: whoever counts waits for as long as this lasts.
  const hanging = openStore(workspace).write(async (tx) => {
    await sql`lock table deliveries, jobs in access exclusive mode`.execute(tx);
    isLocked();
    await scraped;
  });
  await locked;
  const text = await scrape();
  expect(queue(text)).toMatch(/^nan$/i);
  expect(text).not.toContain('hubline_jobs{');
  expect(text).toMatch(/^process_cpu_seconds_total \d/m);
  isScraped();
  await hanging;
  expect(queue(await scrape())).toBe('0');
  await workspace.stop();
});
