import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { makeCertificate } from '../../server/src/outbound/certificate.fixture.ts';
import { runCli, temporaryDirectory } from '../src/test/run-cli.ts';
import { PATIENT, spawnCli } from './support/spawn-cli.ts';

it(
  'links and logins lead to the public URL where that is how others, or TLS, reach the server',
  PATIENT,
  async () => {
    const folder = await temporaryDirectory();
    const { cert, key } = makeCertificate('hub.example.com', [2020, 2099]);
    const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await writeFile(tlsCert, cert);
    await writeFile(tlsKey, key, { mode: 0o600 });
    const publicUrl = 'https://hub.example.com:8443';
    const data = join(folder, 'data');
    const flags = [`--tls-cert=${tlsCert}`, `--tls-key=${tlsKey}`, `--public-url=${publicUrl}`];
    const { child, read, ended } = spawnCli(['server', 'start', '--port=0', `--data=${data}`, ...flags]);
    await vi.waitUntil(() => read.out.includes('\n') || child.exitCode !== null, PATIENT);
    expect(read.out).toContain(`hubline auth login ${publicUrl}/v1\n`);
    // As in a container, whose variables the command sees, and beside one, where it does not.
    for (const env of [{}, { HUBLINE_PUBLIC_URL: publicUrl }]) {
      const { code, out } = await runCli(['server', 'setup-link', `--data=${data}`], { env });
      expect(code).toBe(0);
      expect(out).toContain(`${publicUrl}/setup?token=`);
    }
    child.kill();
    expect((await ended).code).toBe(0);
  },
);
