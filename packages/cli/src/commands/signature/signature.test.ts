import { startTestServer } from '@hubline/server/testing';
import { signDelivery } from '@hubline/webhooks';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startReceiver } from '../../test/receiver.ts';
import { runCli, temporaryDirectory } from '../../test/run-cli.ts';

// The project's own vectors V1 and V2.
const SECRET = 'whsec_test_secret';
const BODY =
  '{"id":"dlv_01","type":"event.created","created_at":"2026-01-02T03:04:05.000Z","workspace_id":"ws_01","data":{}}';
const SIGNATURE = '463c2e0da6abe2ea45ff6e298e8f0651a870fcebce9cebff8eb4ad507521839b';
const EMPTY = 'c6c175a074d482e2b94a0f8c5619f3abd861a511ec3ea7603b906811fd3d9d30';

let files: { body: string; secret: string };
beforeEach(async () => {
  const directory = await temporaryDirectory();
  files = { body: join(directory, 'body.json'), secret: join(directory, 'secret') };
  await writeFile(files.body, BODY);
  await writeFile(files.secret, `${SECRET}\n`);
});

const sign = (line: string[], stdin = '') =>
  runCli(['signature', 'sign', ...line, `--secret-file=${files.secret}`], { stdin });
const verify = (line: string[], stdin = '') =>
  runCli(['signature', 'verify', ...line, `--secret-file=${files.secret}`], { stdin });

describe('signature sign', () => {
  it('signs a file, stdin and the empty body', async () => {
    expect(await sign([files.body])).toEqual({ code: 0, out: `${SIGNATURE}\n`, err: '' });
    expect((await sign([], BODY)).out).toBe(`${SIGNATURE}\n`);
    expect((await sign(['-'], '')).out).toBe(`${EMPTY}\n`);
  });

  it('takes the secret from stdin when the body is a file, but not both', async () => {
    const line = ['signature', 'sign', '--secret-file=-'];
    expect(await runCli([...line, files.body], { stdin: SECRET })).toMatchObject({ out: `${SIGNATURE}\n` });
    expect(await runCli(line, { stdin: SECRET })).toMatchObject({ code: 2, out: '' });
  });
});

describe('signature verify', () => {
  it.each([SIGNATURE, SIGNATURE.toUpperCase(), `X-Service-Signature: ${SIGNATURE}`])(
    'accepts %s',
    async (header) => {
      expect(await verify([files.body, `--header=${header}`])).toEqual({
        code: 0,
        out: '✓ The signature is genuine.\n',
        err: '',
      });
    },
  );

  it('accepts bytes that are not a delivery, when they are signed', async () => {
    expect(await verify([`-H${EMPTY}`])).toMatchObject({ code: 0 });
  });

  it.each([
    [EMPTY, 'mismatch'],
    [SIGNATURE.slice(1), 'malformed_signature'],
    [`sha256=${SIGNATURE}`, 'malformed_signature'],
    ['X-Other: 1', 'missing_signature'],
  ])('says no to %s, and why: %s', async (header, reason) => {
    const { code, out, err } = await verify([files.body, `--header=${header}`, '--json']);
    expect({ code, ...(JSON.parse(out) as object) }).toMatchObject({ code: 9, valid: false, reason });
    expect(JSON.parse(err)).toMatchObject({ error: { exit_code: 9 } });
  });

  it('takes the Standard Webhooks headers alone, and says no to forged, malformed, missing and repeated ones', async () => {
    const timestamp = Math.floor(Date.now() / 1000);
    const { 'X-Service-Signature': _, ...standard } = await signDelivery({
      id: 'dlv_01',
      timestamp,
      body: BODY,
      secrets: [SECRET],
    });
    const lineOf = (headers: object) =>
      Object.entries(headers).map(([name, value]) => `-H${name}: ${String(value)}`);
    expect(await verify([files.body, ...lineOf(standard)])).toMatchObject({ code: 0 });
    const forged = { ...standard, 'webhook-id': 'dlv_02' };
    expect(await verify([files.body, ...lineOf(forged)])).toMatchObject({
      code: 9,
      out: expect.stringContaining('webhook-signature does not match') as string,
    });
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = standard;
    for (const [line, message] of [
      [
        lineOf({ ...standard, 'webhook-signature': 'v1,AAAA' }),
        'webhook-signature (v1, and base64) is malformed',
      ],
      [
        lineOf({ ...standard, 'webhook-timestamp': 'today' }),
        'webhook-timestamp (Unix seconds) is malformed',
      ],
      [lineOf({ 'webhook-id': id, 'webhook-timestamp': at }), 'webhook-signature is missing'],
      [['-Hv1,AAAA'], 'webhook-id is missing'],
      [
        [...lineOf(standard), `-Hwebhook-signature: ${signature}`],
        'webhook-signature is malformed. Pass it once',
      ],
    ] as const) {
      const { code, out, err } = await verify([files.body, ...line]);
      expect({ code, out }).toEqual({ code: 9, out: expect.stringContaining(message) as string });
      expect(err).toContain('webhook-id, webhook-timestamp and webhook-signature');
    }
  });

  it('checks the Standard Webhooks headers, and their time when it is told to', async () => {
    const timestamp = Math.floor(Date.now() / 1000) - 3_600;
    const signed = await signDelivery({ id: 'dlv_01', timestamp, body: BODY, secrets: [SECRET] });
    const headers = Object.entries(signed).map(([name, value]) => `-H${name}: ${value}`);
    expect(await verify([files.body, ...headers])).toMatchObject({ code: 0 });
    const late = await verify([files.body, ...headers, '--tolerance=5m', '--json=reason']);
    expect(late).toMatchObject({ code: 9, out: '{"reason":"expired"}\n' });
  });
});

it('accepts a call that a server sent, and refuses the same with one letter changed', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const env = { HUBLINE_BASE_URL: server.baseUrl, HUBLINE_API_KEY: server.apiKey };
  const { url, calls } = await startReceiver();
  const create = [
    'webhook',
    'create',
    `--url=${url}`,
    '--trigger=*',
    `--secret-file=${files.secret}`,
    '--jq=.id',
  ];
  const { out: id } = await runCli(create, { env });
  expect(await runCli(['webhook', 'ping', id.trim()], { env })).toMatchObject({ code: 0 });
  const [{ headers, body } = { headers: {}, body: '' }] = calls;
  const given = Object.entries(headers)
    .filter(([name]) => name.startsWith('webhook-') || name === 'x-service-signature')
    .map(([name, value]) => `-H${name}: ${String(value)}`);
  expect(given).toHaveLength(4);
  expect(await verify(['-', ...given], body)).toMatchObject({ code: 0 });
  expect(await verify(['-', ...given], body.replace('event.created', 'event.creates'))).toMatchObject({
    code: 9,
  });
});
