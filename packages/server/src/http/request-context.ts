import type { Context, Deps } from '../context.ts';
import type { Access, Actor } from '../domain/identity/actor.ts';
import { reserveResponse } from './response/reserve-response.ts';
import { createCursors } from './response/cursors.ts';
import type { HandledRequest, HttpDeps } from './handled-request.ts';
import { unitOfWork } from '../unit-of-work.ts';

interface ContextOptions {
  /** Names the list that its cursors are for, if it has any. */
  list?: () => string;
  bodyText?: string;
  /** The function for its writes. Default: that of the store. */
  write?: Context['write'];
  /** Default: nobody. */
  actor?: Actor | null;
  /** Default: no workspace. */
  access?: Access | null;
}

/** The context of a request, of any kind of caller. */
export interface RequestContext extends Context {
  readonly actor: Actor | null;
  readonly access: Access | null;
}

/** Makes the context of a request. */
export function publicContext(
  deps: HttpDeps,
  handled: HandledRequest,
  {
    list = noList,
    bodyText = '',
    write = deps.store.write,
    actor = null,
    access = null,
  }: ContextOptions = {},
): RequestContext {
  const { meta } = handled;
  const unit = unitOfWorkOf(deps, handled, write);
  // Members are named one by one, also those that callers add: with spreads, this took 4 µs and 2.8 KB
  // instead of 0.1 µs and 0.4 KB (measured).
  return {
    store: deps.store,
    clock: deps.clock,
    ids: deps.ids,
    log: deps.log,
    vault: deps.vault,
    mail: deps.mail,
    passwords: deps.passwords,
    metrics: deps.metrics,
    stats: deps.stats,
    providerHttp: deps.providerHttp,
    budgets: deps.budgets,
    refreshes: deps.refreshes,
    providers: deps.providers,
    calls: deps.calls,
    config: deps.config,
    serverInfo: deps.serverInfo,
    publicUrl: deps.publicUrl,
    engine: deps.engine,
    jobs: deps.jobs,
    announce: deps.announce,
    requestId: meta.id,
    ip: meta.ip,
    userAgent: meta.userAgent,
    now: meta.now,
    bodyText,
    cursors: createCursors(deps.vault, list),
    reserveResponse: (bytes: number) => reserveResponse(deps.budgets, handled, bytes),
    write: unit.write,
    afterCommit: unit.afterCommit,
    actor,
    access,
  };
}

const noList = () => '';

/** Makes the unit of work of a request. An effect that fails is logged. */
const unitOfWorkOf = (
  { log }: Pick<Deps, 'log'>,
  { meta }: Pick<HandledRequest, 'meta'>,
  write: Context['write'],
): ReturnType<typeof unitOfWork> =>
  unitOfWork({
    write,
    onFailure: (error, effect) =>
      log.error({ err: error, request_id: meta.id, effect }, 'an effect of a request failed'),
  });
