import { expect, it, vi } from 'vitest';
import { serve } from '../../../test/serve.ts';

vi.mock('@hubline/server', async (load) => {
  const real = await load<typeof import('@hubline/server')>();
  const startServer: typeof real.startServer = (config, overrides) =>
    real.startServer(config, { ...overrides, dashboard: '/nonexistent/' });
  return { ...real, startServer };
});

it('a start without the dashboard says so, and how to build it', async () => {
  const { stop } = await serve(['--json']);
  const { code, out, err } = await stop();
  expect({ code, lines: out.trimEnd().split('\n').length }).toEqual({ code: 0, lines: 1 });
  expect(err).toContain('There is no dashboard and no /docs: they were not built.');
  expect(err).toContain('npx -y pnpm@12 start\n');
});
