import { createServer } from 'node:http';
import { expect } from 'vitest';
import { ProviderUnavailable } from '../domain/faults/provider-unavailable.ts';
import { createProviderHttp } from '../outbound/provider-http.ts';
import { answers, clientFor, listen } from '../outbound/receiver.fixture.ts';
import { isFormType } from './wire/form-body.ts';
import type { ProviderStep, ProviderTools } from './provider.ts';

/** The time at which providers are tested. */
export const NOW = new Date('2026-01-02T03:04:05.000Z');

/** A request as it came to the API. */
export interface Call {
  /** Method and path with query, such as `GET /api/user`. */
  route: string;
  headers: Record<string, unknown>;
  /** The JSON object or the fields of the form. */
  body: Record<string, unknown> | null;
}

/** Responds to one route. With `null`, the request gets no response. */
export type Route = (call: Call) => [status: number, body: unknown, headers?: Record<string, string>] | null;

/** A provider's API on the loopback interface. Its base URL ends in `/api/`. Unknown routes respond with 404. */
export interface FakeApi {
  calls: Call[];
  tools: ProviderTools;
  /** Its origin, such as `http://127.0.0.1:4711`. */
  url: string;
}

/** Starts such an API for the length of one test. */
export async function fakeApi(routes: Record<string, Route>, timeoutMs = 10_000): Promise<FakeApi> {
  const calls: Call[] = [];
  const { port } = await listen(
    createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const call: Call = {
          route: `${request.method} ${request.url}`,
          headers: request.headers,
          body: readBody(text, request.headers['content-type']),
        };
        calls.push(call);
        const reply = routes[call.route]?.(call);
        if (reply === null) return;
        const [status, body, headers] = reply ?? [404, { message: 'Not Found' }];
        response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
      });
    }),
  );
  const providerHttp = createProviderHttp({
    guarded: clientFor({ policy: { allowHttpLocalhost: false }, resolve: answers('127.0.0.1') }),
    trusted: clientFor({ policy: null }),
    userAgent: 'Hubline/test',
  });
  const url = `http://127.0.0.1:${port}`;
  const tools: ProviderTools = {
    providerHttp: (request) => providerHttp({ ...request, timeoutMs }),
    clock: () => NOW,
    apiUrl: `${url}/api/`,
  };
  return { calls, tools, url };
}

function readBody(text: string, contentType: string | undefined): Call['body'] {
  if (text === '') return null;
  if (isFormType(contentType)) return Object.fromEntries(new URLSearchParams(text));
  return JSON.parse(text) as Record<string, unknown>;
}

/** A step of a run, on its first attempt. */
export const stepIn = (tools: ProviderTools): ProviderStep => ({ tools, key: 'run_1.a1', again: false });

/** A response that does not come from the provider's API: its name, its route, and the message of the error. */
export type Failure = [what: string, route: Route, message: string];

/** Responses of something else, such as a proxy, in place of a JSON API called `name`. Callers retry them. */
export const failuresOf = (name: string): Failure[] => [
  ['500', () => [500, ''], `${name} responded with 500`],
  ['502 in HTML', () => [502, '<html>'], `${name} responded with 502`],
  ['429', () => [429, { message: 'slow down' }], `${name} responded with 429`],
  [
    'a page',
    () => [200, '<html>Log in to the Wi-Fi</html>'],
    'responded with 200 and a body that is not JSON',
  ],
  ['a page that was not found', () => [404, '<html>'], 'responded with 404 and a body that is not JSON'],
  ['nothing', () => [200, ''], 'responded with 200 and an empty body'],
  ['a redirect to a page', () => [302, '<html>'], 'responded with 302 and a body that is not JSON'],
  ['silence', () => null, `${name} did not respond: no response within 0.2 s`],
];

/** An API that fails in this way on each of these routes. */
export const failingApi = ([what, route]: Failure, ...routes: string[]): Promise<FakeApi> =>
  fakeApi(Object.fromEntries(routes.map((name) => [name, route])), what === 'silence' ? 200 : undefined);

/** Expects that the provider gave no response of its own, and returns the error. */
export async function expectUnavailable(
  asked: Promise<unknown> | undefined,
  message: string,
): Promise<ProviderUnavailable> {
  const error: unknown = await asked?.then(
    () => 'a response',
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ProviderUnavailable);
  expect((error as Error).message).toContain(message);
  return error as ProviderUnavailable;
}

/** Expects that a vendor's own client makes the same requests as we did, as far as `pick` looks at them. */
export async function expectSame(
  { calls }: Pick<FakeApi, 'calls'>,
  pick: (call: Call) => unknown,
  theirs: () => Promise<unknown>,
): Promise<void> {
  const ours = calls.splice(0).map(pick);
  await theirs();
  expect(ours).toEqual(calls.map(pick));
}
