import { describe, expect, it } from 'vitest';
import { BODY, OTHER_SECRET, SECRET } from '../../test/samples.ts';
import { sign, signDelivery, signStandard } from '../index.ts';

const delivery = { id: 'dlv_01', timestamp: 1_767_323_045, body: BODY };

describe('signDelivery', () => {
  it('gives all four headers, with X-Service-Signature by the current secret only', async () => {
    expect(await signDelivery({ ...delivery, secrets: [OTHER_SECRET, SECRET] })).toEqual({
      'X-Service-Signature': await sign(BODY, OTHER_SECRET),
      'webhook-id': 'dlv_01',
      'webhook-timestamp': '1767323045',
      'webhook-signature': `${await signStandard(delivery, OTHER_SECRET)} ${await signStandard(delivery, SECRET)}`,
    });
  });

  it('signs bytes and the text they stand for alike', async () => {
    const bytes = { ...delivery, body: Buffer.from(BODY), secrets: [SECRET] };
    expect(await signDelivery(bytes)).toEqual(await signDelivery({ ...delivery, secrets: [SECRET] }));
  });

  it('refuses to sign without a secret, or with an unusable one among others', async () => {
    for (const [secrets, reason] of [
      [[], 'missing_secret'],
      [[''], 'missing_secret'],
      [[SECRET, ''], 'missing_secret'],
      [[SECRET, `${SECRET} `], 'invalid_secret'],
    ] as const) {
      await expect(signDelivery({ ...delivery, secrets })).rejects.toMatchObject({ reason });
    }
  });

  it.each([1_767_323_045_123, 1.5, 0, -1, NaN, Infinity, '1767323045x', new Date()])(
    'refuses the timestamp %s, which is not in whole seconds',
    async (timestamp) => {
      const call = signDelivery({ ...delivery, timestamp: timestamp as number, secrets: [SECRET] });
      await expect(call).rejects.toThrow(RangeError);
    },
  );

  it('uses the bytes after whsec_ as the key, or the whole text if they are not base64', async () => {
    const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
    const { createHmac } = await import('node:crypto');
    const expected = (bytes: Buffer | string) =>
      `v1,${createHmac('sha256', bytes).update(`dlv_01.1767323045.${BODY}`).digest('base64')}`;
    expect(await signStandard(delivery, SECRET)).toBe(expected(key));
    for (const text of ['whsec_test_secret', 'whsec_', 'whsec_abcde', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']) {
      expect(await signStandard(delivery, text)).toBe(expected(text));
    }
  });
});
