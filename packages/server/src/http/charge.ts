import { Fault } from '../domain/faults/fault.ts';
import { type Charge, whenPrepared } from '../limits/rate-limiter.ts';
import { headersOf, setRateHeaders } from './response/http-fault.ts';
import type { HandledRequest, HttpDeps, RequestState } from './handled-request.ts';
import type { Payer } from './request-limits.ts';

/** Charges a request; throws 429 beyond a limit. Returns a promise only if charging takes time. */
export const charge = (deps: HttpDeps, state: RequestState, payer: Payer): Promise<void> | void =>
  whenPrepared(
    () => deps.limits.prepare(payer, state.meta.now),
    () => chargeNow(deps, state, payer),
  );

function chargeNow({ limits }: HttpDeps, state: RequestState, payer: Payer): void {
  announce(state, payer, limits.charge(payer, state.meta.now));
}

/** Charges an authentic call of a provider. */
export async function chargeCall(
  { limits }: HttpDeps,
  handled: HandledRequest,
  call: { integrationId: string; workspaceId: string },
): Promise<void> {
  const { now } = handled.meta;
  const payer: Payer = { kind: 'workspace', name: call.workspaceId };
  await whenPrepared(
    () => limits.prepareCall(call.integrationId, now),
    () => announce(handled, payer, limits.chargeCall(call, now)),
  );
}

function announce(state: RequestState, payer: Payer, charge: Charge): void {
  state.charged = payer;
  setRateHeaders(state.headers, charge);
}

/**
 * Charges a request that failed, if nobody has been charged for it yet; the error may then become a 429. A request that
 * a limit refused costs nothing. Returns the error to respond with.
 */
export function chargeRefused(deps: HttpDeps, state: RequestState, error: unknown): unknown {
  if (error instanceof Fault && error.code === 'rate_limited') {
    if (state.charged) deps.limits.giveBack(state.charged, state.meta.now);
    state.charged = null;
    return error;
  }
  try {
    if (!state.charged) chargeNow(deps, state, state.payer);
  } catch (limited) {
    if (error instanceof Fault) return limited;
    // A bug of the server is reported as such, with the headers of a charged request.
    Object.assign(state.headers, headersOf(limited as Fault));
  }
  return error;
}
