import { createServer } from 'node:https';
import { expect, it, onTestFinished } from 'vitest';
import { makeCertificate } from '../../src/outbound/certificate.fixture.ts';
import { exchange } from '../../src/outbound/exchange.ts';
import { answers, clientFor, listen } from '../../src/outbound/receiver.fixture.ts';
import { watchDials } from './dial-witness.ts';

it('a connection to another address than the checked one is dropped before a byte of the request is sent', async () => {
  const witness = await watchDials({ divert: true });
  onTestFinished(() => witness.stop());
  const certificate = makeCertificate('receiver.test', [2020, 2100]);
  let requests = 0;
  const inside = await listen(
    createServer(certificate, (_request, response) => response.end(`${(requests += 1)}`)),
  );
  const client = clientFor({
    policy: { allowHttpLocalhost: false },
    resolve: answers('8.8.8.8'),
    ca: certificate.cert,
  });
  const result = await exchange(client, {
    method: 'POST',
    url: `https://receiver.test:${inside.port}/`,
    headers: {},
    body: Buffer.from('{}'),
    timeoutMs: 20_000,
    readBytes: 1_000,
    keepBytes: 1_000,
  });
  expect(result).toMatchObject({
    failure: { kind: 'blocked', message: 'blocked address', localFailure: false },
  });
  expect(witness.dialed).toEqual([`8.8.8.8 ${inside.port}`]);
  expect([inside.connections(), requests]).toEqual([1, 0]);
});
