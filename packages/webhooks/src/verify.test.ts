import { beforeAll, describe, expect, it } from 'vitest';
import { BACKENDS, loadBackend } from '../test/backends.ts';

const BODY = '{"id":"dlv_01"}';

describe.each(BACKENDS)('verify, with %s', (backend) => {
  let core: Awaited<ReturnType<typeof loadBackend>>;
  let signature: string;
  beforeAll(async () => {
    core = await loadBackend(backend);
    signature = await core.sign(BODY, 'secret');
  });

  it('accepts upper-case and mixed-case hex, because hex has no case', async () => {
    expect(await core.verify(BODY, signature.toUpperCase(), 'secret')).toBe(true);
    const mixed = signature.replace(/[a-f]/, (digit) => digit.toUpperCase());
    expect(await core.verify(BODY, mixed, 'secret')).toBe(true);
  });

  it.each([
    ['63 digits', (good: string) => good.slice(1)],
    ['62 digits', (good: string) => good.slice(2)],
    ['65 digits', (good: string) => `${good}0`],
    ['one digit', (good: string) => good.slice(0, 1)],
    ['nothing', () => ''],
    ['junk behind valid hex', (good: string) => `${good}zz`],
    ['junk in valid hex', (good: string) => `${good.slice(0, 32)}zz${good.slice(32)}`],
    ['a letter that is not hex', (good: string) => `g${good.slice(1)}`],
    ['a prefix', (good: string) => `sha256=${good}`],
    ['a space before', (good: string) => ` ${good}`],
    ['a newline behind', (good: string) => `${good}\n`],
    ['two values joined', (good: string) => `${good}, ${good}`],
    ['full-width digits', (good: string) => `\uff11${good.slice(1)}`],
  ])('rejects %s', async (_name, forge) => {
    expect(await core.verify(BODY, forge(signature), 'secret')).toBe(false);
  });

  it.each([
    ['undefined', () => undefined],
    ['null', () => null],
    ['a header array', (good: string) => [good]],
    ['a number', () => 1],
    ['an object', () => ({})],
    ['an object that prints as the signature', (good: string) => ({ toString: () => good })],
  ])('rejects %s in place of a signature', async (_name, forge) => {
    expect(await core.verify(BODY, forge(signature) as string, 'secret')).toBe(false);
  });

  it('accepts any of several secrets, in any position', async () => {
    expect(await core.verify(BODY, signature, ['secret', 'b', 'c'])).toBe(true);
    expect(await core.verify(BODY, signature, ['a', 'secret', 'c'])).toBe(true);
    expect(await core.verify(BODY, signature, ['a', 'b', 'secret'])).toBe(true);
    expect(await core.verify(BODY, signature, ['a', 'b', 'c'])).toBe(false);
  });

  it.each([
    ['empty', '', 'missing_secret'],
    ['undefined', undefined, 'missing_secret'],
    ['null', null, 'missing_secret'],
    ['an empty list', [], 'missing_secret'],
    ['empty among others', ['secret', ''], 'missing_secret'],
    ['only whitespace', ' \t', 'invalid_secret'],
    ['followed by a newline', 'secret\n', 'invalid_secret'],
    ['preceded by a space', ' secret', 'invalid_secret'],
    ['followed by a no-break space', 'secret\u00a0', 'invalid_secret'],
    ['in double quotes', '"secret"', 'invalid_secret'],
    ['in single quotes', "'secret'", 'invalid_secret'],
    ['in quotes, among others', ['secret', '"other"'], 'invalid_secret'],
    ['a number', 7, 'invalid_secret'],
  ])('throws for a secret that is %s', async (_name, secret, reason) => {
    await expect(core.verify(BODY, signature, secret as string)).rejects.toMatchObject({ reason });
    if (!Array.isArray(secret)) {
      await expect(core.sign(BODY, secret as string)).rejects.toMatchObject({ reason });
      expect(() => core.assertSecret(secret)).toThrow(expect.objectContaining({ reason }));
    }
  });

  it('takes quotes inside a secret as part of it', async () => {
    for (const secret of ["It's", 'say "hello"', `"a" and "b'`]) {
      expect(await core.verify(BODY, await core.sign(BODY, secret), secret)).toBe(true);
    }
  });

  it('gives the same signature for a body in every form', async () => {
    const text = '{"m":"naïve 😀"}';
    const bytes = new TextEncoder().encode(text);
    const roomy = new Uint8Array(bytes.length + 8);
    roomy.set(bytes, 4);
    const expected = await core.sign(text, 'secret');
    const { buffer } = roomy;
    const bodies = [
      Buffer.from(text),
      bytes,
      bytes.buffer,
      roomy.subarray(4, -4),
      new DataView(buffer, 4, bytes.length),
    ];
    for (const body of bodies) expect(await core.sign(body, 'secret')).toBe(expected);
  });

  it('throws for a parsed body, because stringifying it again would be a guess', async () => {
    for (const body of [{ id: 'dlv_01' }, [], new Date()]) {
      await expect(core.verify(body as never, signature, 'secret')).rejects.toMatchObject({
        reason: 'body_already_parsed',
      });
    }
  });

  it('throws for a body that is not there, or not read yet', async () => {
    const bodies = [undefined, null, 7, true, () => BODY, Promise.resolve(BODY), new Blob([BODY]).stream()];
    for (const body of bodies) {
      await expect(core.verify(body as never, signature, 'secret')).rejects.toMatchObject({
        reason: 'unreadable_body',
      });
    }
  });
});
