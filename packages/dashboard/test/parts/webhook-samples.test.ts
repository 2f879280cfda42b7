// @vitest-environment node
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { signTestWebhook } from '@hubline/webhooks';
import { webhook } from '@hubline/webhooks/node';
import { expect, it } from 'vitest';
import { webhookSamples } from '../../src/pages/webhook/webhook-samples.ts';

const has = (program: string): boolean => spawnSync(program, ['version']).error === undefined;
const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', "it's my own"];
const run = promisify(execFile);

it('has the TypeScript sample of the README of @hubline/webhooks, where it is run', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../webhooks/README.md'), 'utf8');
  expect(readme).toContain(`\`\`\`ts\n${webhookSamples('').TypeScript}\n\`\`\``);
});

it.skipIf(!has('openssl')).each(secrets)(
  'computes the signatures of a call with openssl (%s)',
  async (secret) => {
    const { headers, body } = await signTestWebhook({ secret });
    const cwd = mkdtempSync(join(tmpdir(), 'hubline-'));
    writeFileSync(join(cwd, 'body.json'), body);
    const script = webhookSamples('')
      .openssl?.replace('id=dlv_…', `id=${headers['webhook-id']}`)
      .replace('timestamp=…', `timestamp=${headers['webhook-timestamp']}`);
    const env = { ...process.env, HUBLINE_WEBHOOK_SECRET: secret };
    const { stdout } = await run('sh', ['-euc', script ?? ''], { cwd, env });
    rmSync(cwd, { recursive: true });
    expect(stdout.trim().split('\n')).toEqual([headers['X-Service-Signature'], headers['webhook-signature']]);
  },
);

it.skipIf(!has('openssl') || !has('curl')).each(secrets)(
  'makes a call with curl that a receiver accepts (%s)',
  async (secret) => {
    const seen: string[] = [];
    const receive = webhook({ secret, requireTimestamp: true }, ({ type }) => void seen.push(type));
    const server = createServer((request, response) => void receive(request, response));
    await once(server.listen(0), 'listening');
    const url = `http://localhost:${(server.address() as AddressInfo).port}/it's?a=1&b=2`;
    const call = async (key: string) => {
      const env = { ...process.env, HUBLINE_WEBHOOK_SECRET: key };
      const { stdout } = await run('sh', ['-euc', webhookSamples(url).curl ?? ''], { env });
      return stdout.split('\n')[0]?.trim();
    };
    expect(await call(secret)).toBe('HTTP/1.1 200 OK');
    expect(await call('another')).toContain('401');
    expect(seen).toEqual(['user.invited']);
    server.closeAllConnections();
    server.close();
  },
);
