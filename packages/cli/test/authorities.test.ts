import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeCertificate } from '../../server/src/outbound/certificate.fixture.ts';
import { runCli, temporaryDirectory } from '../src/test/run-cli.ts';

it('SSL_CERT_FILE is used together with NODE_EXTRA_CA_CERTS', async () => {
  const [ours, another] = [
    makeCertificate('localhost', [2020, 2100]),
    makeCertificate('other', [2020, 2100]),
  ];
  const server = createServer(ours, (_, response) => void response.writeHead(401).end());
  await once(server.listen(0, 'localhost'), 'listening');
  onTestFinished(() => void server.close());
  const folder = await temporaryDirectory();
  const fileOf = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const files = { ours: await fileOf('ours', ours.cert), another: await fileOf('another', another.cert) };
  const told = async (env: Record<string, string>) => {
    const url = `https://localhost:${(server.address() as AddressInfo).port}/v1`;
    const { err } = await runCli(['whoami', '--retries=0', `--base-url=${url}`], {
      env: { HUBLINE_API_KEY: 'hl_test', ...env },
    });
    return err.includes('is not trusted');
  };
  expect([
    await told({ SSL_CERT_FILE: files.another }),
    await told({ SSL_CERT_FILE: files.another, NODE_EXTRA_CA_CERTS: files.ours }),
    await told({ SSL_CERT_FILE: files.ours, NODE_EXTRA_CA_CERTS: files.another }),
  ]).toEqual([true, false, false]);
});
