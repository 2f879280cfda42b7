import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hmac } from '../src/hmac/hmac.ts';
import { isWebhookVerificationError, sign, signDelivery, unwrap, verify } from '../src/index.ts';
import { BODY, ENVELOPE, SECRET, signed } from './samples.ts';

const now = () => Math.floor(Date.now() / 1000);
const secret = fc
  .string({ minLength: 1, unit: 'grapheme' })
  .filter((text) => text.trim() === text && !/^(['"]).*\1$/s.test(text));
const bytes = fc.uint8Array({ maxLength: 2_000 });

describe('signatures, for all inputs', () => {
  it('hmac gives the same as createHmac, for keys and bodies around every boundary of block and buffer', () => {
    const key = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 130 }).map((text) => ({ text, encoding: 'utf8' }) as const),
      fc
        .uint8Array({ minLength: 60, maxLength: 70 })
        .map((raw) => ({ text: Buffer.from(raw).toString('latin1'), encoding: 'latin1' }) as const),
    );
    const part = fc.oneof(
      bytes,
      fc.string({ unit: 'binary' }),
      fc.integer({ min: 16_300, max: 16_400 }).map((length) => 'x'.repeat(length)),
      fc.integer({ min: 16_300, max: 16_400 }).map((length) => new Uint8Array(length).fill(7)),
    );
    fc.assert(
      fc.property(
        key,
        fc.array(part, { maxLength: 3 }),
        fc.constantFrom('hex', 'base64'),
        (of, parts, digest) => {
          const expected = createHmac('sha256', Buffer.from(of.text, of.encoding));
          for (const one of parts) expected.update(one);
          expect(hmac(of, parts, digest)).toBe(expected.digest(digest));
        },
      ),
    );
  });

  it('verify accepts what sign gives, for every body and secret', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, secret, async (body, key) => {
        expect(await verify(body, await sign(body, key), key)).toBe(true);
      }),
    );
  });

  it('verify refuses every other body', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, bytes, async (body, other) => {
        fc.pre(Buffer.compare(body, other) !== 0);
        expect(await verify(other, await sign(body, SECRET), SECRET)).toBe(false);
      }),
    );
  });

  it('verify refuses a signature with any one character changed, removed or added', async () => {
    const good = await sign(BODY, SECRET);
    const edit = fc.tuple(
      fc.nat({ max: 63 }),
      fc.string({ maxLength: 2, unit: 'binary' }),
      fc.nat({ max: 2 }),
    );
    await fc.assert(
      fc.asyncProperty(edit, async ([index, text, removed]) => {
        const forged = good.slice(0, index) + text + good.slice(index + removed);
        fc.pre(forged.toLowerCase() !== good);
        expect(await verify(BODY, forged, SECRET)).toBe(false);
      }),
    );
  });

  it('verify returns false for every value in place of a signature, and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (junk) => {
        expect(await verify(BODY, junk as string, SECRET)).toBe(false);
      }),
    );
  });
});

describe('unwrap, for all inputs', () => {
  it('accepts what signDelivery signs, for every ID, secret and set of secrets', async () => {
    const id = fc.stringMatching(/^[\x21-\x7e]{1,64}$/);
    await fc.assert(
      fc.asyncProperty(id, fc.array(secret, { minLength: 1, maxLength: 4 }), async (name, secrets) => {
        const headers = await signDelivery({ id: name, timestamp: now(), body: BODY, secrets });
        const event = await unwrap({ body: BODY, headers }, { secrets, requireTimestamp: true });
        expect(event).toEqual(ENVELOPE);
      }),
    );
  });

  it('refuses with a reason, and nothing else, whatever the headers are', async () => {
    const { headers: good } = await signed();
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...Object.values(good)));
    const value = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.anything());
    const name = fc.oneof(fc.constantFrom(...Object.keys(good)), fc.string());
    const headers = fc.oneof(
      fc.dictionary(name, value),
      fc.array(fc.tuple(name, value)),
      fc.array(value),
      fc.record(Object.fromEntries(Object.keys(good).map((key) => [key, value]))),
    );
    await fc.assert(
      fc.asyncProperty(headers, async (junk) => {
        const result: unknown = await unwrap(
          { body: `${BODY} `, headers: junk as never },
          { secret: SECRET },
        ).catch((error: unknown) => error);
        expect(isWebhookVerificationError(result)).toBe(true);
      }),
      // The example is a value that cannot be converted to text.
      { numRuns: 500, examples: [[[{ toString: undefined }]]] },
    );
  });

  it('refuses with a reason, and nothing else, whatever the body is', async () => {
    const { headers } = await signed();
    await fc.assert(
      fc.asyncProperty(fc.anything({ withTypedArray: true, withDate: true, withMap: true }), async (body) => {
        const result: unknown = await unwrap({ body: body as never, headers }, { secret: SECRET }).catch(
          (error: unknown) => error,
        );
        expect(isWebhookVerificationError(result)).toBe(true);
      }),
    );
  });

  it('returns every signed JSON object with an ID and a type as it is, and refuses all other signed bytes', async () => {
    const body = fc.oneof(fc.json(), fc.uint8Array());
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const result: unknown = await unwrap(await signed(text), { secret: SECRET }).catch(
          (error: unknown) => error,
        );
        expect(
          isWebhookVerificationError(result) && ['invalid_json', 'invalid_envelope'].includes(result.reason),
        ).toBe(true);
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.record({ id: fc.string(), type: fc.string(), data: fc.jsonValue() }),
        async (event) => {
          const call = await signed(JSON.stringify(event));
          expect(await unwrap(call, { secret: SECRET })).toEqual(JSON.parse(JSON.stringify(event)));
        },
      ),
    );
  });

  it('accepts a timestamp exactly when it is within the tolerance', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -1_000, max: 1_000 }),
        fc.nat({ max: 1_000 }),
        async (offset, tolerance) => {
          const call = await signed(BODY, { at: 1_767_323_045 + offset });
          const result: unknown = await unwrap(call, {
            secret: SECRET,
            tolerance,
            now: () => 1_767_323_045_999,
          }).catch((error: unknown) => error);
          expect(isWebhookVerificationError(result)).toBe(Math.abs(offset) > tolerance);
        },
      ),
    );
  });
});
