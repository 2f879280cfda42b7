import type { TransportRequest, TransportResponse } from '../core/transport.ts';
import { nodeTransport } from '../transports/node.ts';
import { headersOf } from '../transports/web-response.ts';

const send = nodeTransport();

/**
 * Sends the request of a `fetch` over `node:http`; `undefined`, and nothing sent, if somebody would miss what does not go
 * through `fetch`: who has replaced it (tests, frameworks), who listens to its diagnostics (tracers), or who has set what
 * it sends with (proxies, certificates, the mocks of undici).
 */
export function sendBesideFetch(
  request: Parameters<typeof globalThis.fetch>[0],
  rest: Pick<TransportRequest, 'body' | 'signal'>,
): Promise<TransportResponse> | undefined {
  const missed = globalThis.fetch !== nodeFetch || diagnostics.hasSubscribers || !hasDefaultDispatcher();
  if (missed || !(request instanceof Request)) return undefined;
  return send({ method: request.method, url: request.url, headers: headersOf(request), ...rest });
}

/** Node's own names a module that only Node can load; what wraps or replaces it does not, or is no function at all. */
const isOfNode = (fetch: unknown) =>
  typeof fetch === 'function' && Function.prototype.toString.call(fetch).includes('internal/deps/undici');
const nodeFetch = isOfNode(globalThis.fetch) ? globalThis.fetch : null;

const diagnostics = process.getBuiltinModule('node:diagnostics_channel').channel('undici:request:create');

/** What `fetch` sends with. */
interface Dispatcher {
  readonly dispatch: unknown;
  readonly [hidden: symbol]: Readonly<Record<string, unknown>> | undefined;
}

/** Where undici keeps its dispatcher, that in Node and that of npm; newer versions set both. */
const LEGACY = Symbol.for('undici.globalDispatcher.1');
const CURRENT = Symbol.for('undici.globalDispatcher.2');
const globals = globalThis as unknown as Record<symbol, Dispatcher | undefined>;
let judged: readonly unknown[] = [];
let verdict = true;

/** Whether nothing is set, or what undici itself sets when it is loaded. */
function hasDefaultDispatcher(): boolean {
  const [legacy, current] = [globals[LEGACY], globals[CURRENT]];
  if (judged[0] !== legacy || judged[1] !== current) {
    judged = [legacy, current];
    const wraps = current !== undefined && legacy?.constructor.name === 'Dispatcher1Wrapper';
    verdict = isDefault(current) && (wraps || isDefault(legacy));
  }
  return verdict;
}

/** Whether it is an `Agent` without options. Whatever looks different, in a version to come, counts as set by somebody. */
function isDefault(dispatcher: Dispatcher | undefined): boolean {
  if (dispatcher === undefined) return true;
  const hidden = (name: string) => {
    const symbols = Object.getOwnPropertySymbols(dispatcher);
    return symbols.flatMap((symbol) => (symbol.description === name ? [dispatcher[symbol]] : []))[0];
  };
  const { constructor, dispatch } = Object.getPrototypeOf(dispatcher) as Dispatcher;
  const options = hidden('options');
  return (
    constructor.name === 'Agent' &&
    // Interceptors replace it.
    dispatcher.dispatch === dispatch &&
    hidden('factory')?.name === 'defaultFactory' &&
    options !== undefined &&
    Object.values(options).every((value) => value === undefined || value === Infinity)
  );
}
