import type { Context, Deps } from '../context.ts';
import { reserveAnswer } from './answer/reserve-answer.ts';
import { createCursors } from './answer/cursors.ts';
import type { Exchange, HttpDeps } from './exchange.ts';
import { unitOfWork } from '../unit-of-work.ts';

/** The context of a request without an actor. `list` names the list that its cursors are for, if it has any. */
export function publicContext(
  deps: HttpDeps,
  exchange: Exchange,
  { list = () => '', bodyText = '' }: { list?: () => string; bodyText?: string } = {},
) {
  const { meta } = exchange;
  return {
    ...deps,
    requestId: meta.id,
    ip: meta.ip,
    userAgent: meta.userAgent,
    now: meta.now,
    bodyText,
    cursors: createCursors(deps.vault, list),
    reserveAnswer: (bytes: number) => reserveAnswer(deps.budgets, exchange, bytes),
    ...doorTo(deps, exchange, deps.store.write),
  };
}

/** Makes a door for the writes of a request. An effect that fails is told in the log. */
export function doorTo(
  { log }: Pick<Deps, 'log'>,
  { meta }: Pick<Exchange, 'meta'>,
  write: Context['write'],
): ReturnType<typeof unitOfWork> {
  return unitOfWork({
    write,
    onFailure: (error, effect) =>
      log.error({ err: error, request_id: meta.id, effect }, 'an effect of a request failed'),
  });
}
