import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerFlags } from '../../src/config/config.ts';
import { until } from '../api/support/until.ts';
import { TestClock } from '../delivery/test-clock.ts';
import { FakeAuthority } from './fake-authority.ts';
import { freePorts, hasPebble, startPebble } from './pebble.ts';
import { DOMAIN, startDomainAt } from './start-domain.ts';

const RETRY_MS = 2 * 60_000;

type Authority = Parameters<typeof startDomainAt>[0];

/**
 * Starts an authority. Returns it with the flags for the ports that it checks. Without `reachable`, it finds port 443
 * closed.
 */
type Start = (reachable: boolean) => Promise<{ authority: Authority; flags: ServerFlags }>;

const startFake: Start = async (reachable) => {
  const authority = await FakeAuthority.start();
  const closed = { type: 'connection', detail: 'refused', checks: ['tls-alpn-01'] };
  if (!reachable) authority.behavior = { failCheck: closed };
  return { authority, flags: {} };
};

/** Starts pebble. The ports that it checks are among its settings, so they have to be known before it starts. */
const startReal: Start = async (reachable) => {
  const [http = 0, https = 0, closed = 0] = await freePorts(3);
  const authority = await startPebble({ http, https: reachable ? https : closed });
  return { authority, flags: { httpPort: http, httpsPort: https } };
};

const authorities: [name: string, start: Start, isHere: boolean][] = [
  ['the fake authority', startFake, true],
  ['pebble', startReal, hasPebble],
];

// One suite for both, so that the fake authority accepts nothing that a real one would refuse.
for (const [name, start, isHere] of authorities)
  describe.runIf(isHere)(name, () => {
    it('issues a certificate under its root, and another when the first is lost', async () => {
      const { authority, flags } = await start(true);
      const domain = await startDomainAt(authority, new TestClock(), flags);
      const first = await until('the first certificate', async () => (await domain.served()) ?? undefined);
      expect(await domain.ask('/livez')).toMatchObject({ status: 200 });

      await domain.server.stop();
      const folder = join(domain.data, 'certificates');
      const [place = ''] = await readdir(folder);
      await rm(join(folder, place, `${DOMAIN}.pem`));
      const again = await domain.start();
      const second = await until('the second certificate', async () => (await again.served()) ?? undefined);
      expect(second).not.toBe(first);
      expect(await again.ask('/livez')).toMatchObject({ status: 200 });
      expect(await again.certificate()).toMatchObject({ last_error: null });
    });

    it('issues a certificate after a check over plain HTTP when port 443 is closed', async () => {
      const { authority, flags } = await start(false);
      const clock = new TestClock();
      const domain = await startDomainAt(authority, clock, flags);
      await until('the failure', async () => (await domain.plain('/')).headers.get('retry-after') === '120');
      clock.advance(RETRY_MS);
      await until('the certificate', async () => (await domain.served()) !== null);
      expect(await domain.ask('/livez')).toMatchObject({ status: 200 });
    });
  });
