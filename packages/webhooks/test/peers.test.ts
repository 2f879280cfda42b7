import { sign as octokitSign, verify as octokitVerify } from '@octokit/webhooks-methods';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as Svix } from 'svix';
import { describe, expect, it } from 'vitest';
import { sign, signDelivery, signStandard, unwrap, verify } from '../src/index.ts';
import { BODY, ENVELOPE, SECRET } from './samples.ts';

// Libraries that know nothing of Hubline can verify its calls, and this package can verify theirs.
const now = () => Math.floor(Date.now() / 1000);

describe.each([
  ['standardwebhooks', StandardWebhook],
  ['svix', Svix],
])('%s', (_name, Webhook) => {
  it('verifies a delivery with a whsec_ secret', async () => {
    const headers = await signDelivery({ id: 'dlv_01', timestamp: now(), body: BODY, secrets: [SECRET] });
    expect(() => new Webhook(SECRET).verify(BODY, headers)).not.toThrow();
    expect(() => new Webhook(SECRET).verify(`${BODY} `, headers)).toThrow();
  });

  it('verifies a delivery with a free-text secret, taken raw', async () => {
    const headers = await signDelivery({
      id: 'dlv_01',
      timestamp: now(),
      body: BODY,
      secrets: ['free text'],
    });
    expect(() => new Webhook('free text', { format: 'raw' }).verify(BODY, headers)).not.toThrow();
    const bytes = new TextEncoder().encode('naïve 🔑');
    const beyond = await signDelivery({ id: 'dlv_01', timestamp: now(), body: BODY, secrets: ['naïve 🔑'] });
    expect(() => new Webhook(bytes, { format: 'raw' }).verify(BODY, beyond)).not.toThrow();
  });

  it('verifies with the new and with the old secret during a rotation', async () => {
    const next = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
    const secrets = [next, SECRET];
    const headers = await signDelivery({ id: 'dlv_01', timestamp: now(), body: BODY, secrets });
    for (const secret of secrets) expect(() => new Webhook(secret).verify(BODY, headers)).not.toThrow();
  });

  it('signs what unwrap accepts', async () => {
    const at = new Date();
    const headers = {
      'X-Service-Signature': await sign(BODY, SECRET),
      'webhook-id': 'dlv_01',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(SECRET).sign('dlv_01', at, BODY),
    };
    expect(await unwrap({ body: BODY, headers }, { secret: SECRET, requireTimestamp: true })).toEqual(
      ENVELOPE,
    );
  });

  it('signs as signStandard does', async () => {
    const timestamp = now();
    const theirs = new Webhook(SECRET).sign('dlv_01', new Date(timestamp * 1000), BODY);
    expect(await signStandard({ id: 'dlv_01', timestamp, body: BODY }, SECRET)).toBe(theirs);
  });
});

describe('@octokit/webhooks-methods', () => {
  it('verifies X-Service-Signature behind its prefix', async () => {
    expect(await octokitVerify('secret', BODY, `sha256=${await sign(BODY, 'secret')}`)).toBe(true);
  });

  it('signs what verify accepts without its prefix', async () => {
    const signature = (await octokitSign('secret', BODY)).replace('sha256=', '');
    expect(await verify(BODY, signature, 'secret')).toBe(true);
  });
});
