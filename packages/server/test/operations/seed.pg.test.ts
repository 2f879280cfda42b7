import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { parseServerConfig, seedDatabase, startServer } from '../../src/index.ts';
import { createTestDatabase } from '../../src/testing/test-database.ts';

it('of two seeds of one PostgreSQL at once, one is refused before it changes anything', async () => {
  const database = await createTestDatabase(inject('postgresUrl'));
  onTestFinished(() => database.drop());
  const data = await mkdtemp(join(tmpdir(), 'hubline-seed-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const given = { data, port: 0, logLevel: 'silent', senders: 0, databaseUrl: database.url } as const;
  const config = parseServerConfig(given, {});
  const seeds = [1, 1].map(() => seedDatabase(config, { days: 1, eventsPerDay: 24 }));
  const results = await Promise.allSettled(seeds);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const refused = results.find((result) => result.status === 'rejected');
  expect(String(refused?.reason)).toContain('another --seed is writing it, or was cut off');

  await using server = await startServer(config);
  const [key] = results.flatMap((result) => (result.status === 'fulfilled' ? (result.value?.key ?? []) : []));
  const response = await fetch(`${server.baseUrl}/workspaces`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  expect((await response.json()) as object).toMatchObject({ data: [expect.anything()] });
  expect(await seedDatabase(config)).toBeNull();
});
