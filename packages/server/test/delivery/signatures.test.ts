import { verify as verifyHex } from '@octokit/webhooks-methods';
import { unwrap, verify } from '@hubline/webhooks';
import { Webhook as Standard, WebhookVerificationError } from 'standardwebhooks';
import { Webhook as Svix } from 'svix';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import type { ReceivedCall } from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';
import { deliver, header, newWebhook, publish, reaches, receiver, SECRET, subscribe } from './support.ts';
import { TestClock } from './test-clock.ts';

const OVERLAP_SECONDS = 60;
const NEXT_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

// Starts at the real time: the receivers' libraries compare the time of a call with their own clock.
const time = new TestClock();
let root: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  root = await startWorkspace({ clock: time.clock, timer: time.timer });
});
afterAll(() => root.stop());

const standardHeaders = (call: ReceivedCall) => ({
  'webhook-id': header(call, 'webhook-id'),
  'webhook-timestamp': header(call, 'webhook-timestamp'),
  'webhook-signature': header(call, 'webhook-signature'),
});

/** The libraries that accept a call with this secret. */
async function acceptedBy(call: ReceivedCall, secret: string): Promise<string[]> {
  const checks: [string, () => unknown][] = [
    ['standardwebhooks', () => new Standard(secret).verify(call.body, standardHeaders(call))],
    ['svix', () => new Svix(secret).verify(call.body, standardHeaders(call))],
    [
      '@octokit/webhooks-methods',
      async () => {
        const signature = `sha256=${header(call, 'x-service-signature')}`;
        if (!(await verifyHex(secret, call.body, signature))) throw new Error('refused');
      },
    ],
    [
      '@hubline/webhooks verify',
      async () => {
        if (!(await verify(call.bytes, header(call, 'x-service-signature'), secret)))
          throw new Error('refused');
      },
    ],
    [
      '@hubline/webhooks unwrap',
      () => unwrap({ body: call.bytes, headers: call.headers }, { secret, requireTimestamp: true }),
    ],
  ];
  const accepted: string[] = [];
  for (const [name, check] of checks) {
    try {
      await check();
      accepted.push(name);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
  }
  return accepted;
}

const ALL = [
  'standardwebhooks',
  'svix',
  '@octokit/webhooks-methods',
  '@hubline/webhooks verify',
  '@hubline/webhooks unwrap',
];
/** The libraries that take a secret of free text. */
const FREE_TEXT = ALL.slice(2);

/** The call of an event to a new receiver. */
async function callOf(there: TestWorkspace, calls: ReceivedCall[]): Promise<ReceivedCall> {
  const before = calls.length;
  await publish(there, { text: 'naïve 😀', n: 1.0 });
  return until('a call', () => calls[before]);
}

describe('a call', () => {
  it("is accepted by the receivers' own libraries, with both kinds of signature", async () => {
    const witness = await receiver();
    const call = await callOf(await subscribe(root, witness.url), witness.calls);
    expect(await acceptedBy(call, SECRET)).toEqual(ALL);
    expect(await acceptedBy(call, NEXT_SECRET)).toEqual([]);
    const forged = { ...call, body: `${call.body} `, bytes: Buffer.from(`${call.body} `) };
    expect(await acceptedBy(forged, SECRET)).toEqual([]);
    expect(() => new Standard(SECRET).verify(forged.body, standardHeaders(forged))).toThrow(
      WebhookVerificationError,
    );
  });

  it('names its event and its delivery, in headers and in its envelope', async () => {
    const witness = await receiver();
    const there = await subscribe(root, witness.url);
    const call = await callOf(there, witness.calls);
    const envelope = JSON.parse(call.body) as Record<string, unknown>;
    expect(envelope).toMatchObject({
      id: header(call, 'x-service-delivery'),
      type: 'event.created',
      workspace_id: there.workspaceId,
      data: { event_type: 'push', payload: { text: 'naïve 😀', n: 1 } },
    });
    expect(call).toMatchObject({
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': String(call.bytes.length),
        'user-agent': expect.stringMatching(/^Hubline\//),
        'webhook-id': envelope['id'],
        'x-service-event': 'event.created',
        'x-service-attempt': '1',
      },
    });
  });

  it('with a secret of free text is accepted, too', async () => {
    const witness = await receiver();
    const workspace = await subscribe(root, witness.url);
    const secret = 'schlüssel ohne form';
    const other = await receiver();
    await newWebhook(workspace, other.url, { secret });
    await publish(workspace);
    const call = await until('a call', () => other.calls[0]);
    // Other libraries read a free text as base64, so they cannot check the signature with a timestamp.
    expect(await acceptedBy(call, secret)).toEqual(expect.arrayContaining(FREE_TEXT));
  });
});

describe('a change of secrets', () => {
  const rotate = (webhookId: string) =>
    root.api.call('webhooks.rotateSecret', {
      params: { webhookId },
      body: { secret: NEXT_SECRET, overlap_seconds: OVERLAP_SECONDS },
    });

  it('leaves the old secret valid beside the new one until the overlap ends', async () => {
    const witness = await receiver();
    const there = await subscribe(root, witness.url);
    await rotate(there.webhookId);

    const during = await callOf(there, witness.calls);
    expect(header(during, 'webhook-signature').split(' ')).toHaveLength(2);
    expect(await acceptedBy(during, NEXT_SECRET)).toEqual(ALL);
    // X-Service-Signature holds one signature, the new one: a receiver that checks it needs the new secret from the first call.
    expect(await acceptedBy(during, SECRET)).toEqual(['standardwebhooks', 'svix']);
    const input = { body: during.bytes, headers: during.headers };
    await unwrap(input, { secrets: [SECRET, NEXT_SECRET], requireTimestamp: true });

    time.advance(OVERLAP_SECONDS * 1_000 - 1);
    expect(await acceptedBy(await callOf(there, witness.calls), SECRET)).not.toEqual([]);
    time.advance(1);
    const after = await callOf(there, witness.calls);
    expect(header(after, 'webhook-signature').split(' ')).toHaveLength(1);
    expect(await acceptedBy(after, SECRET)).toEqual([]);
    expect(await acceptedBy(after, NEXT_SECRET)).toEqual(ALL);
  });

  it('between two attempts signs the next one with the new secret', async () => {
    let status = 500;
    const witness = await receiver(() => ({ status }));
    const there = await subscribe(root, witness.url);
    const { id } = await deliver(there);
    await reaches(there, id, { status: 'retrying', attempts: 1 });
    await rotate(there.webhookId);
    status = 200;
    time.advance(OVERLAP_SECONDS * 1_000);
    await reaches(there, id, { status: 'delivered', attempts: 2 });
    const [first, second] = witness.calls as [ReceivedCall, ReceivedCall];
    expect(await acceptedBy(first, SECRET)).toEqual(ALL);
    expect(await acceptedBy(second, SECRET)).toEqual([]);
    expect(await acceptedBy(second, NEXT_SECRET)).toEqual(ALL);
    expect(second.bytes.equals(first.bytes)).toBe(true);
  });
});
