import { Fault } from '../domain/faults/fault.ts';
import type { Charge } from '../limits/rate-limiter.ts';
import { headersOf, setRateHeaders } from './response/http-fault.ts';
import type { Begun, Exchange, HttpDeps } from './exchange.ts';
import type { Payer } from './request-limits.ts';

/** Charges a request; throws 429 beyond a limit. Returns a promise only if charging takes time. */
export function charge(deps: HttpDeps, exchange: Begun, payer: Payer): Promise<void> | undefined {
  const preparing = deps.limits.prepare(payer, exchange.meta.now);
  if (preparing) return preparing.then(() => chargeNow(deps, exchange, payer));
  chargeNow(deps, exchange, payer);
  return undefined;
}

function chargeNow({ limits }: HttpDeps, exchange: Begun, payer: Payer): void {
  announce(exchange, payer, limits.charge(payer, exchange.meta.now));
}

/** Charges an authentic call of a provider. */
export async function chargeCall(
  { limits }: HttpDeps,
  exchange: Exchange,
  call: { integrationId: string; workspaceId: string },
): Promise<void> {
  await limits.prepareCall(call.integrationId, exchange.meta.now);
  const payer: Payer = { kind: 'workspace', name: call.workspaceId };
  announce(exchange, payer, limits.chargeCall(call, exchange.meta.now));
}

function announce(exchange: Begun, payer: Payer, charge: Charge): void {
  exchange.charged = payer;
  setRateHeaders(exchange.headers, charge);
}

/**
 * Charges a request that failed, if nobody has been charged for it yet; the error may then become a 429. A request that
 * a limit refused costs nothing. Returns the error to respond with.
 */
export function chargeRefused(deps: HttpDeps, exchange: Begun, error: unknown): unknown {
  if (error instanceof Fault && error.code === 'rate_limited') {
    if (exchange.charged) deps.limits.giveBack(exchange.charged, exchange.meta.now);
    exchange.charged = null;
    return error;
  }
  try {
    if (!exchange.charged) chargeNow(deps, exchange, exchange.payer);
  } catch (limited) {
    if (error instanceof Fault) return limited;
    // A bug of the server is reported as such, with the headers of a charged request.
    Object.assign(exchange.headers, headersOf(limited as Fault));
  }
  return error;
}
