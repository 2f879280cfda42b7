import { expect, it, vi } from 'vitest';
import { serve } from '../../../test/serve.ts';

// A week of events takes seconds, and its length does not matter here.
vi.mock('@hubline/server', async (load) => {
  const real = await load<typeof import('@hubline/server')>();
  const seedDatabase: typeof real.seedDatabase = (config) =>
    real.seedDatabase(config, { days: 1, eventsPerDay: 24 });
  return { ...real, seedDatabase };
});

it('with --seed and --json prints key and password to stderr, and nothing more to stdout', async () => {
  const server = await serve(['--seed', '--json']);
  expect(Object.keys(JSON.parse(server.out()) as object)).toEqual(['url', 'base_url', 'pid']);
  const { err } = await server.stop();
  expect(err).toMatch(/^Key of mara@fernhill\.example, shown once: hl_\w{36}$/m);
  expect(err).toMatch(/^Password of mara@fernhill\.example, shown once: \S{16}$/m);
});
