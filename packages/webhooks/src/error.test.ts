import { inspect } from 'node:util';
import { expect, it, vi } from 'vitest';
import { BODY, SECRET, signed } from '../test/samples.ts';
import { isWebhookVerificationError, unwrap, WebhookVerificationError } from './index.ts';

it('has the reason, the status to respond with, and the subject in the message', () => {
  const error = new WebhookVerificationError('mismatch', 'webhook-signature');
  expect(error).toMatchObject({ name: 'WebhookVerificationError', reason: 'mismatch', status: 401 });
  expect(error.message).toMatch(/^webhook-signature does not match\./);
  expect(error).not.toHaveProperty('cause');
});

it('has the status 401 for forged, stale and unsigned calls, as the specification demands', () => {
  const reasons = [
    'missing_signature',
    'malformed_signature',
    'mismatch',
    'missing_timestamp',
    'expired',
  ] as const;
  for (const reason of reasons) expect(new WebhookVerificationError(reason).status).toBe(401);
});

it('recognizes the errors of another copy of this package', async () => {
  vi.resetModules();
  const copy = await import('./index.ts');
  const error = new copy.WebhookVerificationError('mismatch');
  expect(error).not.toBeInstanceOf(WebhookVerificationError);
  expect(isWebhookVerificationError(error)).toBe(true);
});

it('recognizes nothing else', () => {
  const others = [
    new Error('mismatch'),
    { reason: 'mismatch', status: 401 },
    null,
    undefined,
    'mismatch',
    401,
  ];
  for (const other of others) expect(isWebhookVerificationError(other)).toBe(false);
});

it('keeps the parser error as the cause of invalid JSON', async () => {
  const error: unknown = await unwrap(await signed('{"id":'), { secret: SECRET }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ reason: 'invalid_json', cause: expect.any(SyntaxError) });
});

it('shows neither its brand nor the body when it is printed', async () => {
  const { headers } = await signed(BODY);
  const error: unknown = await unwrap({ body: 'private', headers }, { secret: SECRET }).catch(
    (thrown: unknown) => thrown,
  );
  expect(inspect(error)).not.toMatch(/Symbol|private/);
  expect(Object.keys(error as object)).toEqual(['name', 'reason', 'status']);
});
