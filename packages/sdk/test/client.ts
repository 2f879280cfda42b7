import type { ClientOptions } from '../src/core/options.ts';
import { Hubline } from '../src/hubline.node.ts';
import { FakeTime } from './fake-time.ts';
import type { ScriptedServer } from './scripted-server.ts';

export const API_KEY = 'hl_ThisIsATestKeyThatMustNeverBeShown00';

/** A client of a scripted server, and its fake time. */
export function clientOf(server: ScriptedServer, options: ClientOptions = {}) {
  const time = FakeTime.get();
  const client = new Hubline({
    apiKey: API_KEY,
    baseURL: server.baseURL,
    logLevel: 'off',
    ...options,
    middleware: [...(options.middleware ?? []), time.middleware],
  });
  return { client, time };
}

/** Resolves to the reason of a rejected call. */
export async function failureOf(call: PromiseLike<unknown>): Promise<Error> {
  try {
    await call;
  } catch (error) {
    return error as Error;
  }
  throw new Error('It did not fail.');
}

/** An error body of the specification. */
export const errorBody = (code: string, message = 'Because.') => ({
  error: { code, message, request_id: 'req_1' },
});
