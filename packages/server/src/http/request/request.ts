import { isIPv4 } from 'node:net';
import { HEADERS } from '@hubline/contract';
import type { Incoming } from '../front/open-requests.ts';
import type { Deps } from '../../context.ts';
import { Fault, invalid } from '../../domain/faults/fault.ts';
import type { Proof } from '../../services/identity/authenticate.ts';
import { forwardedProto, isHttps } from './scheme.ts';
import { sessionOf } from './session-cookie.ts';

/** The facts about a request that are known before it is authenticated. */
export interface RequestMeta {
  id: string;
  ip: string | null;
  userAgent: string | null;
  now: Date;
  /** The caller wants the older, flat error body. */
  flat: boolean;
}

const ERROR_FORMAT = HEADERS.errorFormat.toLowerCase();
const NO_SEARCH = new URLSearchParams();
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

export function describeRequest(
  deps: Pick<Deps, 'ids' | 'clock' | 'config'>,
  incoming: Incoming,
): RequestMeta {
  const { headers } = incoming;
  return {
    id: deps.ids('request'),
    ip: clientAddress(incoming, deps.config.behindProxy),
    userAgent: headers['user-agent']?.slice(0, 300) ?? null,
    now: deps.clock(),
    flat: headers[ERROR_FORMAT] === 'flat',
  };
}

/** The facts about a client that never sent a valid request. */
export function describeConnection(
  deps: Pick<Deps, 'ids' | 'clock'>,
  address: string | undefined,
): RequestMeta {
  return { id: deps.ids('request'), ip: address ?? null, userAgent: null, now: deps.clock(), flat: false };
}

/** The query of a request. Taken from the target alone: the `Host` header must not matter. */
export function searchOf({ url }: Incoming): URLSearchParams {
  const start = url.indexOf('?');
  return start === -1 ? NO_SEARCH : new URLSearchParams(url.slice(start + 1));
}

/**
 * The address of the client. Only a trusted proxy may state it, and only in the part that it appends itself: the last
 * address.
 */
function clientAddress(incoming: Incoming, behindProxy: boolean): string | null {
  const forwarded = behindProxy ? incoming.headers['x-forwarded-for'] : undefined;
  const last = (Array.isArray(forwarded) ? forwarded.at(-1) : forwarded)?.split(',').at(-1)?.trim();
  return last ? withoutPort(last) : (incoming.socket.remoteAddress ?? null);
}

/** An address without the port of the client, which some proxies add: otherwise each connection would count as another client. */
function withoutPort(entry: string): string {
  const [, inBrackets, plain] = /^(?:\[([\da-f:.]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/i.exec(entry) ?? [];
  return inBrackets ?? plain ?? entry;
}

/** Specification, "Conventions" 1: plain HTTP is rejected. Loopback and a trusted TLS proxy are not plain. */
export function requireHttps(deps: Pick<Deps, 'config'>, incoming: Incoming): void {
  if (isHttps(deps, incoming)) return;
  const proto = forwardedProto(deps, incoming);
  if (proto !== undefined && proto !== 'http') {
    const issue =
      'must be http or https, given once; configure the proxy to replace the header that clients send';
    throw invalid('X-Forwarded-Proto', issue);
  }
  if (proto === undefined && LOOPBACK.test(incoming.socket.remoteAddress ?? '')) return;
  throw new Fault('invalid_request', 'Requests go over HTTPS only. Use an https:// URL.');
}

/**
 * Reports whether a request comes from this machine itself: not through a proxy on it that forwards from the internet,
 * and not from a page whose name was pointed at this machine after the browser had loaded it (DNS rebinding).
 */
export function isLocal(deps: Pick<Deps, 'config'>, { headers, rawHeaders, socket }: Incoming): boolean {
  if (deps.config.behindProxy || headers.forwarded !== undefined) return false;
  if (Object.keys(headers).some((name) => name.startsWith('x-forwarded-'))) return false;
  // The raw header: the application sees the same host on every request.
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  return (
    LOOPBACK.test(socket.remoteAddress ?? '') && isLocalName(at === -1 ? '' : (rawHeaders[at + 1] ?? ''))
  );
}

/** Reports whether a host is an address, or a name that nobody on the internet can own. */
function isLocalName(host: string): boolean {
  const name = host.replace(/:\d*$/, '');
  return name.startsWith('[') || isIPv4(name) || /^[^.]*\.?$|\.localhost\.?$/i.test(name);
}

/** The proof of identity in a request. */
export function proofOf(deps: Pick<Deps, 'config' | 'publicUrl'>, incoming: Incoming): Proof {
  const { authorization } = incoming.headers;
  return { authorization, session: authorization === undefined ? sessionOf(deps, incoming) : undefined };
}
