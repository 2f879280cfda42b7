import { createHmac, timingSafeEqual } from 'node:crypto';
import { answerParent } from '../../process/worker.ts';

/** One way to verify a call and to parse its body. */
type Verify = () => unknown;

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = JSON.stringify({
  id: 'dlv_06fk1q7x0r8wt5mzj3y2n9bcde',
  type: 'event.created',
  created_at: '2026-01-02T03:04:05.000Z',
  workspace_id: 'ws_06fk1q7x0r8wt5mzj3y2n9bcde',
  data: {
    event_type: 'push',
    payload: { commits: ['x'.repeat(300), 'y'.repeat(300)], ref: 'refs/heads/main' },
  },
  event: { id: 'evt_06fk1q7x0r8wt5mzj3y2n9bcde', timestamp: '2026-01-02T03:04:05.000Z' },
});

/** The headers of a Node request, among which a verifier has to find its own. */
const around = {
  host: 'app.example.com',
  'content-type': 'application/json',
  'user-agent': 'Hubline/1.0',
  'content-length': String(BODY.length),
  connection: 'keep-alive',
  'x-service-event': 'event.created',
  'x-service-delivery': 'dlv_06fk1q7x0r8wt5mzj3y2n9bcde',
  'x-service-attempt': '1',
};

const contenders: Readonly<Record<string, () => Promise<Verify>>> = {
  raw: async () => {
    const signature = createHmac('sha256', SECRET).update(BODY).digest('hex');
    return () => {
      const given = Buffer.from(signature, 'hex');
      const expected = createHmac('sha256', SECRET).update(BODY).digest();
      if (!timingSafeEqual(given, expected)) throw new Error('mismatch');
      return JSON.parse(BODY) as unknown;
    };
  },
  'hubline, one signature': async () => {
    const { sign, unwrap } = await import('@hubline/webhooks');
    const headers = { ...around, 'x-service-signature': await sign(BODY, SECRET) };
    return () => unwrap({ body: BODY, headers }, { secret: SECRET, requireTimestamp: false });
  },
  hubline: async () => {
    const { signDelivery, unwrap } = await import('@hubline/webhooks');
    const timestamp = Math.floor(Date.now() / 1000);
    const signed = await signDelivery({ id: 'dlv_01', timestamp, body: BODY, secrets: [SECRET] });
    const named = Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]);
    const headers = { ...around, ...Object.fromEntries(named) } as Record<string, string>;
    return () => unwrap({ body: BODY, headers }, { secret: SECRET, tolerance: 3_600 });
  },
  stripe: async () => {
    const { default: Stripe } = await import('stripe');
    const { webhooks } = new Stripe('sk_test_0123456789');
    const header = webhooks.generateTestHeaderString({ payload: BODY, secret: SECRET });
    return () => webhooks.constructEvent(BODY, header, SECRET, 3_600);
  },
  svix: async () => standard((await import('svix')).Webhook),
  standardwebhooks: async () => standard((await import('standardwebhooks')).Webhook),
};

interface StandardWebhook {
  sign(id: string, timestamp: Date, body: string): string;
  verify(body: string, headers: Record<string, string>): unknown;
}

function standard(Webhook: new (secret: string) => StandardWebhook): Verify {
  const webhook = new Webhook(SECRET);
  const at = new Date();
  const headers = {
    ...around,
    'webhook-id': 'dlv_01',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': webhook.sign('dlv_01', at, BODY),
  };
  return () => webhook.verify(BODY, headers);
}

let verify: Verify | undefined;

const methods = {
  prepare: async (name: string) => {
    verify = await contenders[name]?.();
  },
  /** Verifies calls one after the other. Returns the number per second. */
  run: async ({ calls }: { calls: number }): Promise<number> => {
    const started = performance.now();
    for (let call = 0; call < calls; call += 1) {
      const result = verify?.();
      // A synchronous verifier does not pay for an await.
      if (result instanceof Promise) await result;
    }
    return calls / ((performance.now() - started) / 1_000);
  },
};

export type VerifierMethods = typeof methods;

answerParent(methods);
