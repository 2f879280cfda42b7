import type { Prepared } from '../core/call.ts';
import type { Config } from '../core/config.ts';
import { invalidResponse } from '../core/errors.ts';
import type { Answer } from '../core/response.ts';
import { readLive, readText, textOf } from './body.ts';
import { exchange } from './exchange.ts';
import { followEvents } from './follow-events.ts';
import { assertMediaType, parseAnswer } from './parse.ts';
import type { Success } from './round-trip.ts';

/** What makes calls: the first of them loads it. Nothing that is imported before may import from here. */
export const runner = {
  /** A call whose response is read to its end. */
  request: (config: Config, prepared: Prepared): Promise<Answer> =>
    exchange(config, prepared, async ({ info, body, connection, lost }) => {
      const { name } = prepared;
      const { maxResponseBytes: most } = config;
      // Here, so that a runtime without one, such as jsdom, is not taken for a lost connection.
      const decoder = new TextDecoder();
      const text = await readText(body, most, decoder).catch((cause: unknown) => {
        throw lost(cause);
      });
      connection.release();
      if (text !== null)
        return { name, info, text, parse: () => parseAnswer(config, prepared, { info, text }) };
      throw invalidResponse(name, info, `with more than maxResponseBytes, ${most}`);
    }),

  /** A call whose response is a stream of events. The caller ends its connection. */
  open: (config: Config, prepared: Prepared): Promise<Success> => open(config, prepared, 'text/event-stream'),

  followEvents,

  /** A call whose response is CSV, in pieces as they arrive. */
  async *readCsv(config: Config, prepared: Prepared): AsyncGenerator<string, void, undefined> {
    yield* textOf(readLive(await open(config, prepared, CSV), prepared.limits.timeout));
  },
};

const CSV = 'text/csv';

const open = (config: Config, prepared: Prepared, type: string): Promise<Success> =>
  exchange(config, prepared, async (success) => {
    // HTML standard, "Server-sent events": 204 tells a stream not to come back.
    if (success.info.status !== 204 || type === CSV) assertMediaType(prepared, success.info, type);
    return success;
  });
