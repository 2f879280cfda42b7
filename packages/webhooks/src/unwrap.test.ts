import { createContext, runInContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { BACKENDS, loadBackend } from '../test/backends.ts';
import { BODY, ENVELOPE, OTHER_SECRET, SECRET, signed, STANDARD_HEADERS, without } from '../test/samples.ts';

const SERVICE = 'X-Service-Signature';
const NOW = 1_767_323_045;
const now = () => NOW * 1000;

describe.each(BACKENDS)('unwrap, with %s', (backend) => {
  let core: Awaited<ReturnType<typeof loadBackend>>;
  beforeAll(async () => {
    core = await loadBackend(backend);
  });

  const accepts = (call: object, options: object = {}) =>
    expect(core.unwrap(call as never, { secret: SECRET, now, ...options })).resolves.toEqual(ENVELOPE);
  const refuses = (reason: string, call: object, options: object = {}) =>
    expect(core.unwrap(call as never, { secret: SECRET, now, ...options })).rejects.toMatchObject({ reason });

  describe('headers', () => {
    it('finds them in every form that frameworks use', async () => {
      const { body, headers } = await signed(BODY, { at: NOW });
      const entries = Object.entries(headers);
      const lower = entries.map(([name, value]) => [name.toLowerCase(), value] as const);
      const upper = entries.map(([name, value]) => [name.toUpperCase(), value] as const);
      const forms = [
        new Headers(headers),
        Object.fromEntries(lower),
        Object.fromEntries(upper),
        Object.fromEntries(lower.map(([name, value]) => [name, [value]])),
        Object.assign(Object.create(null), headers),
        entries,
        upper,
        entries.flat(),
        ['Host', 'example.com', ...upper.flat()],
        // A value that reads like a name is still a value.
        ['X-Note', SERVICE, ...entries.flat()],
      ];
      for (const form of forms) await accepts({ body, headers: form }, { requireTimestamp: true });
    });

    it('accepts upper-case hex', async () => {
      const { body, headers } = await signed(BODY, { at: NOW });
      await accepts({ body, headers: { ...headers, [SERVICE]: headers[SERVICE]?.toUpperCase() } });
    });

    it('refuses a signature that is present twice, in every form', async () => {
      const { body, headers } = await signed(BODY, { at: NOW });
      const good = headers[SERVICE] ?? '';
      const twice = new Headers(headers);
      twice.append(SERVICE, good);
      const forms = [
        twice,
        { ...headers, [SERVICE]: [good, good] },
        { ...headers, [SERVICE]: `${good}, ${good}` },
        { ...headers, [SERVICE.toLowerCase()]: good },
        [...Object.entries(headers), [SERVICE, good]],
        [...Object.entries(headers).flat(), SERVICE, good],
      ];
      for (const form of forms) await refuses('malformed_signature', { body, headers: form });
    });

    it('refuses a call without the signature, whatever the headers are', async () => {
      const { body, headers } = await signed(BODY, { at: NOW });
      const forms = [
        {},
        [],
        [[]],
        ['odd'],
        null,
        undefined,
        new Headers(),
        { [SERVICE]: '' },
        { [SERVICE]: 7 },
        { get: 'text' },
        // Inherited names are not headers of the request.
        Object.create(headers),
      ];
      for (const form of forms) await refuses('missing_signature', { body, headers: form });
    });

    it.each([
      '',
      'abc',
      'z'.repeat(64),
      `sha256=${'a'.repeat(64)}`,
      `${'a'.repeat(64)} `,
      `${'a'.repeat(64)}\n`,
    ])('refuses the signature %j', async (junk) => {
      const { body, headers } = await signed(BODY, { at: NOW });
      await refuses(junk === '' ? 'missing_signature' : 'malformed_signature', {
        body,
        headers: { ...headers, [SERVICE]: junk },
      });
    });
  });

  describe('the two families of headers', () => {
    it('accepts X-Service-Signature alone only where requireTimestamp is off', async () => {
      const { body, headers } = await signed(BODY, { at: NOW });
      const stripped = { body, headers: without(headers, ...STANDARD_HEADERS) };
      await accepts(stripped, { requireTimestamp: false });
      await refuses('missing_timestamp', stripped);
      await refuses('missing_timestamp', stripped, { requireTimestamp: undefined });
    });

    it('refuses Standard Webhooks headers alone, even valid ones', async () => {
      const { body, headers } = await signed(BODY, { at: NOW });
      await refuses('missing_signature', { body, headers: without(headers, SERVICE) });
    });

    it.each(STANDARD_HEADERS)('refuses a set that lacks only %s, and names it', async (name) => {
      const { body, headers } = await signed(BODY, { at: NOW });
      const call = { body, headers: without(headers, name) };
      await refuses('missing_signature', call);
      await expect(core.unwrap(call, { secret: SECRET })).rejects.toThrow(name);
    });

    it('refuses when one family matches and the other does not', async () => {
      const mine = await signed(BODY, { at: NOW });
      const theirs = await signed(BODY, { at: NOW, secret: OTHER_SECRET });
      const swap = (name: string) => ({ ...mine.headers, [name]: theirs.headers[name] ?? '' });
      await refuses('mismatch', { body: BODY, headers: swap(SERVICE) });
      await refuses('mismatch', { body: BODY, headers: swap('webhook-signature') });
    });

    it('refuses an ID or a time other than the signed one', async () => {
      const { body, headers } = await signed(BODY, { at: NOW });
      await refuses('mismatch', { body, headers: { ...headers, 'webhook-id': 'dlv_02' } });
      await refuses('mismatch', { body, headers: { ...headers, 'webhook-timestamp': String(NOW - 1) } });
      // The same signed text, split at another place: ID "dlv_01.1", time "767323045".
      await refuses(
        'mismatch',
        {
          body,
          headers: { ...headers, 'webhook-id': 'dlv_01.1', 'webhook-timestamp': String(NOW).slice(1) },
        },
        { tolerance: Infinity },
      );
    });
  });

  describe('webhook-signature', () => {
    const withSignature = async (change: (good: string) => string) => {
      const { body, headers } = await signed(BODY, { at: NOW });
      return {
        body,
        headers: { ...headers, 'webhook-signature': change(headers['webhook-signature'] ?? '') },
      };
    };

    it('accepts a valid signature among others, of other keys, versions or forms', async () => {
      const wrong = `v1,${'A'.repeat(43)}=`;
      await accepts(await withSignature((good) => `${wrong} ${good}`));
      await accepts(await withSignature((good) => `${good} ${wrong}`));
      await accepts(await withSignature((good) => `v1a,abc v2,def junk ${good}  `));
    });

    it('accepts the signature of the old secret while a secret is rotated', async () => {
      const secrets = [OTHER_SECRET, SECRET];
      const headers = await core.signDelivery({ id: 'dlv_01', timestamp: NOW, body: BODY, secrets });
      expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
      await accepts({ body: BODY, headers }, { secret: OTHER_SECRET });
      await accepts({ body: BODY, headers }, { secret: undefined, secrets: [SECRET, OTHER_SECRET] });
      await refuses('mismatch', { body: BODY, headers }, { secret: undefined, secrets: ['a', 'b'] });
    });

    it.each([
      ['no base64', () => 'v1,'],
      ['another version', (good: string) => good.replace('v1,', 'v2,')],
      ['no version', (good: string) => good.slice(3)],
      ['base64 cut short', (good: string) => good.slice(0, -2)],
      ['something behind the base64', (good: string) => `${good}x`],
      ['commas between signatures', (good: string) => `${good},${good}`],
    ])('refuses %s', async (_name, change) => {
      await refuses('malformed_signature', await withSignature(change));
    });

    it('refuses the must-fail example of Standard Webhooks', async () => {
      await refuses('mismatch', await withSignature(() => 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc='));
    });
  });

  describe('webhook-timestamp', () => {
    it.each([
      [300, NOW - 300, undefined],
      [300, NOW + 300, undefined],
      [300, NOW - 301, 'expired'],
      [300, NOW + 301, 'not_yet_valid'],
      [0, NOW, undefined],
      [0, NOW - 1, 'expired'],
      [0, NOW + 1, 'not_yet_valid'],
      [Infinity, 1, undefined],
      [NaN, NOW, 'expired'],
      [-1, NOW, 'expired'],
    ])('with a tolerance of %d s, checks the timestamp %d', async (tolerance, at, reason) => {
      const call = await signed(BODY, { at });
      await (reason === undefined ? accepts(call, { tolerance }) : refuses(reason, call, { tolerance }));
    });

    it('is compared in whole seconds, as it is written', async () => {
      const call = await signed(BODY, { at: NOW });
      await accepts(call, { tolerance: 0, now: () => NOW * 1000 + 999 });
      await refuses('expired', call, { tolerance: 0, now: () => NOW * 1000 + 1000 });
    });

    it('must be within 5 minutes by default', async () => {
      await accepts(await signed(BODY, { at: NOW - 300 }));
      await refuses('expired', await signed(BODY, { at: NOW - 301 }));
    });

    it.each([
      '1767323045abc',
      '-5',
      '1767323045.5',
      '17673230450000000000',
      '0',
      '01767323045',
      '1e9',
      ' 1',
      'NaN',
    ])('refuses %j', async (timestamp) => {
      const { body, headers } = await signed(BODY, { at: NOW });
      const call = { body, headers: { ...headers, 'webhook-timestamp': timestamp } };
      await refuses('malformed_signature', call, { tolerance: Infinity });
    });
  });

  describe('maxAge', () => {
    const at = Date.parse(ENVELOPE.created_at) / 1000;

    it('is off by default, because retries come long after the event', async () => {
      await accepts(
        { ...(await signed(BODY, { at: NOW })) },
        { now: () => NOW * 1000 + 1e12, tolerance: Infinity },
      );
    });

    it('refuses an event older than that, and one without a date', async () => {
      const call = await signed(BODY, { at });
      const asOf = (seconds: number) => ({
        maxAge: 3600,
        tolerance: Infinity,
        now: () => (at + seconds) * 1000,
      });
      await accepts(call, asOf(3600));
      await refuses('expired', call, asOf(3601));
      // As from `Number(process.env.MAX_AGE)` without that variable.
      await refuses('expired', call, { ...asOf(3600), maxAge: Number.NaN });
      const undated = await signed('{"id":"dlv_01","type":"event.created"}', { at });
      await refuses('expired', undated, asOf(0));
    });
  });

  describe('bodies', () => {
    it('accepts one in every form, base64 included', async () => {
      const { headers } = await signed(BODY, { at: NOW });
      const bytes = new TextEncoder().encode(BODY);
      for (const body of [BODY, Buffer.from(BODY), bytes, bytes.buffer, new DataView(bytes.buffer)]) {
        await accepts({ body, headers });
      }
      await accepts({ body: Buffer.from(BODY).toString('base64'), headers, isBase64Encoded: true });
      await accepts({ body: BODY, headers, isBase64Encoded: false });
    });

    it('awaits a body that is a promise', async () => {
      const { headers } = await signed(BODY, { at: NOW });
      await accepts({ body: Promise.resolve(BODY), headers });
      await refuses('mismatch', { body: Promise.resolve(''), headers });
    });

    it('accepts an ArrayBuffer of another realm, as in test runners and vm', async () => {
      const { headers } = await signed(BODY, { at: NOW });
      const body = runInContext(
        'Uint8Array.from(bytes).buffer',
        createContext({ bytes: [...Buffer.from(BODY)] }),
      );
      expect(body).not.toBeInstanceOf(ArrayBuffer);
      await accepts({ body, headers });
    });

    it('accepts a Request', async () => {
      const { body, headers } = await signed(BODY, { at: NOW });
      await accepts(
        new Request('https://app.example.com', { method: 'POST', headers, body: body as string }),
      );
    });

    it.each([
      ['changed', BODY.replace('push', 'pull')],
      ['serialized again', JSON.stringify(JSON.parse(BODY), null, 1)],
      ['with a newline at the end', `${BODY}\n`],
      ['with a byte order mark', `\ufeff${BODY}`],
      ['empty', ''],
    ])('refuses one that is not as it was signed, but %s', async (_name, body) => {
      const { headers } = await signed(BODY, { at: NOW });
      await refuses('mismatch', { body, headers });
    });

    it('refuses a parsed body, and says what to do in each framework', async () => {
      const { headers } = await signed(BODY, { at: NOW });
      for (const body of [ENVELOPE, [ENVELOPE], {}]) await refuses('body_already_parsed', { body, headers });
      const error: unknown = await core
        .unwrap({ body: ENVELOPE as never, headers }, { secret: SECRET })
        .catch(String);
      for (const hint of [
        'express.raw()',
        'bodyParser: false',
        'rawBody: true',
        '@hubline/webhooks/fastify',
      ]) {
        expect(error).toContain(hint);
      }
    });

    it('refuses a Request that was read before, or is being read', async () => {
      const { body, headers } = await signed(BODY, { at: NOW });
      const request = () =>
        new Request('https://x.example', { method: 'POST', headers, body: body as string });
      const used = request();
      await used.json();
      await refuses('body_already_parsed', used);
      const locked = request();
      locked.body?.getReader();
      await refuses('unreadable_body', locked);
    });

    it('refuses a body that is missing, not read yet, or not base64', async () => {
      const { headers } = await signed(BODY, { at: NOW });
      for (const body of [undefined, null, 7, new Blob([BODY]).stream()]) {
        await refuses('unreadable_body', { body, headers });
      }
      for (const body of ['%%%', 'abcde', null, undefined, Buffer.from(BODY)]) {
        await refuses('unreadable_body', { body, headers, isBase64Encoded: true });
      }
    });

    it.each([
      ['text that is not JSON', '{"id":'],
      ['nothing', ''],
      [
        'bytes that are not UTF-8',
        Buffer.concat([Buffer.from('{"id":"'), Buffer.of(0xff), Buffer.from('"}')]),
      ],
      ['a byte order mark', Buffer.from(`\ufeff${BODY}`)],
    ])('refuses signed %s as invalid JSON', async (_name, body) => {
      await refuses('invalid_json', await signed(body, { at: NOW }));
    });

    it.each(['null', '7', '"text"', '[]', '{}', '{"id":"dlv_01"}', '{"id":1,"type":"event.created"}'])(
      'refuses the signed %s as an invalid envelope',
      async (body) => {
        await refuses('invalid_envelope', await signed(body, { at: NOW }));
      },
    );
  });

  it('returns an event of an unknown type, and unknown fields, as they came', async () => {
    const event = { ...ENVELOPE, type: 'workspace.renamed', data: { to: 'Acme' }, later: { added: true } };
    const call = await signed(JSON.stringify(event), { at: NOW });
    expect(await core.unwrap(call, { secret: SECRET, now })).toEqual(event);
  });

  it('keeps a __proto__ of the payload as a plain field', async () => {
    const body = '{"id":"dlv_01","type":"event.created","data":{"__proto__":{"admin":true}}}';
    const event = await core.unwrap(await signed(body, { at: NOW }), { secret: SECRET, now });
    expect(Object.keys(event.data)).toEqual(['__proto__']);
    expect('admin' in {}).toBe(false);
  });

  it('never shows the secret, in any form of the error', async () => {
    const { body, headers } = await signed(BODY, { at: NOW });
    const bad = [
      { body, headers, options: { secret: ' hidden-secret ' } },
      { body, headers, options: { secret: 'hidden-secret' } },
      { body, headers: {}, options: { secret: 'hidden-secret' } },
    ];
    for (const { options, ...call } of bad) {
      const error: unknown = await core.unwrap(call, options).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(core.WebhookVerificationError);
      const forms = [String(error), JSON.stringify(error), (error as Error).stack];
      for (const form of forms) expect(form).not.toContain('hidden-secret');
    }
  });

  it('demands a secret before anything else', async () => {
    await refuses('missing_secret', { body: BODY, headers: {} }, { secret: undefined });
    await refuses('missing_secret', { body: BODY, headers: {} }, { secret: undefined, secrets: [] });
    await refuses('invalid_secret', { body: BODY, headers: {} }, { secret: `${SECRET}\n` });
  });
});
