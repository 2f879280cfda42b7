import { decodeText, readText } from '../internal/read-text.ts';
import type { Answer } from './call.ts';
import type { Config } from './config.ts';
import { InvalidResponseError } from './errors.ts';
import { exchange } from './exchange.ts';
import { Page, type PageSource } from './page.ts';
import { parseAnswer, parsePage, type Text } from './parse-answer.ts';
import type { Prepared } from './prepare.ts';
import { readLive } from './read-live.ts';
import type { Success } from './round-trip.ts';

/** A call whose response is one JSON value, or nothing. */
export const requestJSON = <T>(config: Config, prepared: Prepared): Promise<Answer<T>> =>
  readWhole(
    config,
    prepared,
    async (response) => (await parseAnswer(config, response, prepared.schema)) as T,
  );

/** A call whose response is a page. */
export const requestPage = <Item>(
  config: Config,
  prepared: Prepared,
  source: Pick<PageSource<Item>, 'cursor' | 'read'>,
): Promise<Answer<Page<Item>>> =>
  readWhole(config, prepared, async (response) => {
    const wire = parsePage<Item>(response, await parseAnswer(config, response, prepared.schema));
    return new Page(wire, { ...source, response: response.info });
  });

/** A call whose response is read while it arrives. The caller ends its connection. */
export const open = (config: Config, prepared: Prepared): Promise<Success> =>
  exchange(config, prepared, (success) => Promise.resolve(success));

/** A call whose response is text, in pieces as they arrive. */
export async function* readPieces(
  config: Config,
  prepared: Prepared,
): AsyncGenerator<string, void, undefined> {
  yield* decodeText(readLive(await open(config, prepared), prepared.limits.timeout));
}

function readWhole<T>(
  config: Config,
  prepared: Prepared,
  parse: (response: Text) => Promise<T>,
): Promise<Answer<T>> {
  const { maxResponseBytes } = config;
  return exchange(config, prepared, async ({ info, body, connection, lost }) => {
    const { text, complete } = await readText(body, maxResponseBytes).catch((cause: unknown) => {
      throw lost(cause);
    });
    connection.release();
    if (complete) return { info, text, parse: () => parse({ info, text }) };
    throw new InvalidResponseError(
      `The response is larger than ${maxResponseBytes} bytes: ask for smaller pages, or raise maxResponseBytes.`,
      info,
    );
  });
}
