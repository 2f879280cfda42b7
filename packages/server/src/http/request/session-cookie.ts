import { LIMITS } from '@hubline/contract';
import type { Incoming } from '../front/open-requests.ts';
import type { Deps } from '../../context.ts';
import { Fault } from '../../domain/faults/fault.ts';
import { cookiesNamed, hostCookie, setHostCookie } from './host-cookie.ts';
import { isHttps } from './scheme.ts';

/** The header that pages of the dashboard send with every request. Forms and scripts of other sites cannot: it needs CORS. */
export const DASHBOARD_HEADER = 'X-Hubline-Dashboard';

type CookieDeps = Pick<Deps, 'config' | 'publicUrl'>;

// All ports of a host share their cookies: without the port in the name, two servers on it would log each other out. The
// processes of one server behind a proxy share the public URL, not the port.
const nameOf = ({ config, publicUrl }: CookieDeps, secure: boolean): string =>
  hostCookie(
    `hubline_session${suffixOf(secure && config.behindProxy ? config.publicUrl : publicUrl())}`,
    secure,
  );

/** The port of a URL at the end of a name; nothing for the port that URLs leave out. */
function suffixOf(url: string | undefined): string {
  const port = url === undefined ? '' : new URL(url).port;
  return port && `_${port}`;
}

/**
 * The token of the dashboard's session; `undefined` unless the request comes from a page of the dashboard itself. A
 * cookie alone proves nothing: browsers add it to requests that other sites make them send.
 */
export function sessionOf(deps: CookieDeps, incoming: Incoming): string | undefined {
  return isOwnPage(incoming) ? tokenIn(deps, incoming) : undefined;
}

/**
 * The session token of a visitor to one of the server's own forms, which run no script and cannot add a header. Opening
 * a form changes nothing; sending it counts only if the browser says that the page is of this server.
 */
export function sessionToShow(deps: CookieDeps, incoming: Incoming): string | undefined {
  const { method, headers } = incoming;
  const reads = method === 'GET' || method === 'HEAD';
  return reads || headers['sec-fetch-site'] === 'same-origin' ? tokenIn(deps, incoming) : undefined;
}

/** Reports whether a page of the dashboard made the request, as the browser says. */
export function isOwnPage({ headers }: Incoming): boolean {
  // Every browser that can show the dashboard sends `Sec-Fetch-Site`, over HTTPS and to this machine.
  return headers[DASHBOARD_HEADER.toLowerCase()] !== undefined && headers['sec-fetch-site'] === 'same-origin';
}

function tokenIn(deps: CookieDeps, incoming: Incoming): string | undefined {
  const name = nameOf(deps, isHttps(deps, incoming));
  const [token, another] = cookiesNamed(name, incoming);
  if (another === undefined) return token;
  throw new Fault(
    'unauthorized',
    `The request has several ${name} cookies. Delete the cookies of this site and log in again.`,
  );
}

/** `Set-Cookie` for a session that begins, or, with `null`, for one that ends. */
export function sessionCookie(
  deps: CookieDeps,
  token: string | null,
  { secure }: { secure: boolean },
): string {
  const maxAge = token === null ? 0 : LIMITS.sessionMs / 1_000;
  return setHostCookie([nameOf(deps, secure), token ?? ''], { maxAge, secure });
}
