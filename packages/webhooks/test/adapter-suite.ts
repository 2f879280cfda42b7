import { type IncomingMessage, request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  isWebhookVerificationError,
  memorySeen,
  signDelivery,
  signTestWebhook,
  type WebhookEvent,
  type WebhookOptions,
} from '../src/index.ts';
import { BODY, ENVELOPE, SECRET, signed, STANDARD_HEADERS, without } from './samples.ts';

export interface Running {
  /** The URL of the receiver. */
  url: string;
  stop(): Promise<void>;
}

/** Starts a real server of one framework with the adapter under test. */
export type StartReceiver = (
  options: WebhookOptions,
  handler: (event: WebhookEvent) => unknown,
) => Promise<Running>;

const seconds = () => Math.floor(Date.now() / 1000);

/** Defines the tests of every adapter, whatever the framework. They run against a real server over real HTTP. */
export function describeAdapter(
  name: string,
  start: StartReceiver,
  { streams = true }: { streams?: boolean } = {},
): void {
  describe(`the ${name} adapter`, () => {
    const running: Running[] = [];
    afterEach(async () => {
      await Promise.all(running.splice(0).map((server) => server.stop()));
    });

    async function receive(
      options: Partial<WebhookOptions> = {},
      handle: (event: WebhookEvent) => unknown = () => {},
    ) {
      const handler = vi.fn(handle);
      const onError = vi.fn();
      const server = await start({ secret: SECRET, onError, ...options } as WebhookOptions, handler);
      running.push(server);
      const post = (headers: Record<string, string>, body: RequestInit['body']) =>
        fetch(server.url, { method: 'POST', headers, body: body ?? null, duplex: 'half' });
      const send = async (body: string | Uint8Array = BODY) =>
        post((await signed(body)).headers, body as string);
      return { handler, onError, post, send, url: server.url };
    }

    it('hands the verified event to the handler and responds with 200', async () => {
      const { handler, onError, send } = await receive({ requireTimestamp: true });
      const response = await send();
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      expect(await response.json()).toEqual({ received: true });
      expect(handler.mock.calls[0]?.[0]).toEqual(ENVELOPE);
      expect(onError).not.toHaveBeenCalled();
    });

    it('responds when the handler is done, not before', async () => {
      const order: string[] = [];
      const { send } = await receive({}, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        order.push('handled');
      });
      await send().then(() => order.push('responded'));
      expect(order).toEqual(['handled', 'responded']);
    });

    it('accepts calls with any content type, and without one', async () => {
      const { handler, post } = await receive();
      const { headers } = await signed();
      for (const type of [
        'application/json',
        'application/json; charset=utf-8',
        'text/plain',
        'application/x-own',
      ]) {
        expect((await post({ ...headers, 'content-type': type }, BODY)).status).toBe(200);
      }
      expect((await post(headers, Buffer.from(BODY))).status).toBe(200);
      expect(handler).toHaveBeenCalledTimes(5);
    });

    it('verifies the bytes as they came', async () => {
      const { handler, send } = await receive();
      const event = { ...ENVELOPE, data: { text: 'naïve 😀   spaced' } };
      expect((await send(`${JSON.stringify(event, null, 2)}\n`)).status).toBe(200);
      expect(handler.mock.calls[0]?.[0]).toEqual(event);
    });

    it('accepts the test deliveries of this package', async () => {
      const { handler, url } = await receive();
      expect((await fetch(url, await signTestWebhook({ secret: SECRET, type: 'user.invited' }))).status).toBe(
        200,
      );
      expect(handler.mock.calls[0]?.[0]).toMatchObject({ type: 'user.invited' });
    });

    it('responds with 401 to a forged, unsigned, stripped or stale call, and never runs the handler', async () => {
      const { handler, onError, post } = await receive({ requireTimestamp: true });
      const { headers } = await signed();
      const stale = await signed(BODY, { at: seconds() - 301 });
      for (const [reason, call, body] of [
        ['mismatch', headers, `${BODY} `],
        ['mismatch', { ...headers, 'X-Service-Signature': '0'.repeat(64) }, BODY],
        ['malformed_signature', { ...headers, 'X-Service-Signature': 'junk' }, BODY],
        ['missing_signature', without(headers, 'X-Service-Signature'), BODY],
        ['missing_signature', {}, ''],
        ['missing_timestamp', without(headers, ...STANDARD_HEADERS), BODY],
        ['expired', stale.headers, BODY],
      ] as const) {
        const response = await post(call, body);
        expect(response.status).toBe(401);
        expect(await response.json()).toEqual({ error: reason, message: expect.any(String) });
        expect(onError.mock.lastCall?.[0]).toMatchObject({ reason });
      }
      expect(handler).not.toHaveBeenCalled();
    });

    it('responds with 400 to an authentic body that is not a delivery', async () => {
      const { handler, send } = await receive();
      for (const body of ['{"id":', '', '[]', Uint8Array.of(0xff)])
        expect((await send(body)).status).toBe(400);
      expect(handler).not.toHaveBeenCalled();
    });

    it('responds with 413 to a body above the limit, announced or not, and takes one of exactly the limit', async () => {
      const { handler, onError, post, send } = await receive({ maxBodyBytes: BODY.length });
      expect((await send()).status).toBe(200);
      const { headers } = await signed();
      const big = 'x'.repeat(BODY.length + 1);
      expect((await post(headers, big)).status).toBe(413);
      expect((await post(headers, new Blob([big]).stream())).status).toBe(413);
      expect((await post(headers, 'x'.repeat(3_000_000))).status).toBe(413);
      expect(onError.mock.lastCall?.[0]).toMatchObject({ reason: 'payload_too_large' });
      expect(handler).toHaveBeenCalledTimes(1);
    });

    it('limits bodies to 1 MiB by default', async () => {
      const { send } = await receive();
      const ofSize = (size: number) =>
        JSON.stringify({ ...ENVELOPE, pad: '' }).replace('"pad":""', `"pad":"${'x'.repeat(size)}"`);
      const empty = ofSize(0).length;
      expect((await send(ofSize(1_048_576 - empty))).status).toBe(200);
      expect((await send(ofSize(1_048_577 - empty))).status).toBe(413);
    });

    it('responds with 500 without the reason when the handler throws or rejects, and calls onError', async () => {
      for (const handle of [
        () => {
          throw new Error('database password');
        },
        () => Promise.reject(new Error('database password')),
      ]) {
        const { onError, send } = await receive({}, handle);
        const response = await send();
        expect(response.status).toBe(500);
        expect(await response.text()).not.toContain('password');
        expect(onError.mock.calls).toEqual([[new Error('database password')]]);
      }
    });

    it('treats a verification error of the handler as a failure of the handler', async () => {
      const { send } = await receive({}, () => signDelivery({ id: '', timestamp: 1, body: '', secrets: [] }));
      expect((await send()).status).toBe(500);
    });

    it('responds even when onError fails', async () => {
      const printed = vi.spyOn(console, 'error').mockReturnValue();
      const failing = await receive({ onError: () => Promise.reject(new Error('tracker down')) });
      expect((await failing.post({}, BODY)).status).toBe(401);
      expect(printed).toHaveBeenCalledWith(new Error('tracker down'));
      printed.mockRestore();
    });

    describe('with a seen store', () => {
      it('handles a delivery once and confirms its duplicates', async () => {
        const { handler, onError, send } = await receive({ seen: memorySeen() });
        expect(await (await send()).json()).toEqual({ received: true });
        const again = await send();
        expect(again.status).toBe(200);
        expect(await again.json()).toEqual({ received: true, duplicate: true });
        expect(handler).toHaveBeenCalledTimes(1);
        expect(onError).not.toHaveBeenCalled();
      });

      it('handles a delivery again after its handler has failed', async () => {
        const outcomes = [() => Promise.reject(new Error('down')), () => undefined];
        const { handler, send } = await receive({ seen: memorySeen() }, () => outcomes.shift()?.());
        expect((await send()).status).toBe(500);
        expect((await send()).status).toBe(200);
        expect((await send()).status).toBe(200);
        expect(handler).toHaveBeenCalledTimes(2);
      });

      it('responds with 409 while the delivery is being handled, so that it comes again', async () => {
        const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
        const { promise: started, resolve: begin } = Promise.withResolvers<void>();
        const { send } = await receive({ seen: memorySeen() }, () => (begin(), finished));
        const first = send();
        await started;
        expect((await send()).status).toBe(409);
        finish();
        expect((await first).status).toBe(200);
        expect((await send()).status).toBe(200);
      });

      it('responds with 500 without handling when the store cannot claim, and 200 when it cannot complete', async () => {
        const down = () => Promise.reject(new Error('store down'));
        const withoutClaim = await receive({ seen: { ...memorySeen(), claim: down } });
        expect((await withoutClaim.send()).status).toBe(500);
        expect(withoutClaim.handler).not.toHaveBeenCalled();
        const withoutComplete = await receive({ seen: { ...memorySeen(), complete: down } });
        expect((await withoutComplete.send()).status).toBe(200);
        expect(withoutComplete.onError.mock.calls).toEqual([[new Error('store down')]]);
      });
    });

    it('refuses to start without a usable secret', async () => {
      for (const secret of [undefined, '', ' secret', '"secret"']) {
        await expect(start({ secret }, () => undefined)).rejects.toSatisfy(isWebhookVerificationError);
      }
    });

    it('refuses to start with a number that would refuse every call', async () => {
      for (const name of ['tolerance', 'maxAge', 'maxBodyBytes']) {
        for (const value of [Number.NaN, -1, '300', null])
          await expect(start({ secret: SECRET, [name]: value }, () => undefined)).rejects.toThrow(
            `${name} must be a number from 0, or Infinity.`,
          );
      }
    });

    // A gateway that collects the whole request first has no streams.
    if (!streams) return;

    it('responds to an unsigned call without waiting for its body', async () => {
      const { url } = await receive();
      const { promise: response, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const request = httpRequest(url, { method: 'POST' }, resolve).on('error', reject);
      request.write('{"an endless body":');
      expect((await response).statusCode).toBe(401);
      request.destroy();
    });

    it('responds with 413 to an announced size without waiting for the body', async () => {
      const { url } = await receive();
      const { headers } = await signed();
      const announced = { ...headers, 'content-length': '1048577' };
      const { promise: response, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const request = httpRequest(url, { method: 'POST', headers: announced }, resolve).on('error', reject);
      request.flushHeaders();
      expect((await response).statusCode).toBe(413);
      request.destroy();
    });

    it('responds with 413 to a body that has no end', async () => {
      const { url } = await receive();
      const { headers } = await signed();
      const { promise: response, resolve } = Promise.withResolvers<IncomingMessage>();
      const request = httpRequest(url, { method: 'POST', headers }, resolve).on('error', () => undefined);
      const pour = () => {
        if (!request.destroyed) request.write('x'.repeat(65_536), () => setImmediate(pour));
      };
      pour();
      expect((await response).statusCode).toBe(413);
      request.destroy();
    });

    it('survives a connection that breaks in the middle of a body', async () => {
      const { handler, onError, send, url } = await receive();
      const { headers } = await signed();
      const request = httpRequest(url, { method: 'POST', headers: { ...headers, 'content-length': '1000' } });
      request.on('error', () => undefined);
      request.write(BODY.slice(0, 10), () => request.destroy());
      await vi.waitFor(
        () => expect(onError.mock.calls[0]?.[0]).toMatchObject({ reason: 'unreadable_body' }),
        20_000,
      );
      expect((await send()).status).toBe(200);
      expect(handler).toHaveBeenCalledTimes(1);
    });
  });
}
