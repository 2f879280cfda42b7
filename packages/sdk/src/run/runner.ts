import type { Prepared } from '../core/call.ts';
import type { Config } from '../core/config.ts';
import type { Runner } from '../core/engine.ts';
import { invalidResponse } from '../core/errors.ts';
import type { RawResponse } from '../core/response.ts';
import { readLive, readText, textOf } from './body.ts';
import type { Success } from './connection.ts';
import { exchange } from './exchange.ts';
import { followEvents } from './follow-events.ts';
import { assertMediaType, parseResponse } from './read-response.ts';

/** Makes calls. The first call loads this module, so modules that are loaded before must not import it. */
export const runner: Runner = {
  request: (config: Config, prepared: Prepared): Promise<RawResponse> =>
    exchange(config, prepared, async ({ info, body, connection, lost }) => {
      const { name } = prepared;
      const { maxResponseBytes: most } = config;
      // Made here, so that a runtime without `TextDecoder`, such as jsdom, is not mistaken for a lost connection.
      const decoder = new TextDecoder();
      const text = await readText(body, most, decoder).catch((cause: unknown) => {
        throw lost(cause);
      });
      connection.release();
      if (text !== null)
        return { name, info, text, parse: () => parseResponse(config, prepared, { info, text }) };
      throw invalidResponse(name, info, `and a body larger than maxResponseBytes (${most})`);
    }),

  open: (config: Config, prepared: Prepared): Promise<Success> => open(config, prepared, 'text/event-stream'),

  followEvents,

  async *readCsv(config: Config, prepared: Prepared): AsyncGenerator<string, void, undefined> {
    yield* textOf(readLive(await open(config, prepared, CSV), prepared.limits.timeout, prepared));
  },
};

const CSV = 'text/csv';

const open = (config: Config, prepared: Prepared, type: string): Promise<Success> =>
  exchange(config, prepared, async (success) => {
    // HTML standard, "Server-sent events": 204 tells a stream not to reconnect.
    if (success.info.status !== 204 || type === CSV) assertMediaType(prepared, success.info, type);
    return success;
  });
