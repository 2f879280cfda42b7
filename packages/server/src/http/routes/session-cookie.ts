import type { IncomingMessage } from 'node:http';
import { LIMITS } from '@hubline/contract';
import { Fault } from '../../domain/faults/fault.ts';

/** The header that pages of the dashboard send with every request. Forms and scripts of other sites cannot: it needs CORS. */
export const DASHBOARD_HEADER = 'X-Hubline-Dashboard';

// Over HTTPS under a name that browsers let only this very host set, and only over HTTPS. Over plain HTTP, from this
// machine, they refuse that name.
const NAMES = { secure: '__Host-hubline_session', plain: 'hubline_session' };

/**
 * The token of the dashboard's session; `undefined` unless the request comes from a page of the dashboard itself. A cookie
 * alone proves nothing: browsers send it with whatever any site makes them send.
 */
export function sessionOf(incoming: IncomingMessage): string | undefined {
  return isOwnPage(incoming) ? tokenIn(incoming.headers.cookie ?? '') : undefined;
}

/**
 * The session token of a visitor to one of the server's own forms, which run no script and cannot add a header. Opening a form
 * changes nothing; sending it counts only if the browser says that it was sent from here.
 */
export function sessionToShow(incoming: IncomingMessage): string | undefined {
  const { method, headers } = incoming;
  const reads = method === 'GET' || method === 'HEAD';
  return reads || headers['sec-fetch-site'] === 'same-origin' ? tokenIn(headers.cookie ?? '') : undefined;
}

/** Reports whether a page of the dashboard made the request, as the browser says. */
export function isOwnPage({ headers }: IncomingMessage): boolean {
  // Every browser that can show the dashboard says where a request comes from, to HTTPS and to this machine.
  return headers[DASHBOARD_HEADER.toLowerCase()] !== undefined && headers['sec-fetch-site'] === 'same-origin';
}

function tokenIn(cookies: string): string | undefined {
  for (const name of [NAMES.secure, NAMES.plain]) {
    const [cookie, another] = cookies.split(/; ?/).filter((pair) => pair.startsWith(`${name}=`));
    if (another !== undefined) {
      throw new Fault(
        'unauthorized',
        `Send one cookie ${name}, not several: delete the cookies of this site.`,
      );
    }
    if (cookie !== undefined) return cookie.slice(name.length + 1);
  }
  return undefined;
}

/** `Set-Cookie` for a session that begins, or, with `null`, for one that ends. */
export function sessionCookie(token: string | null, { secure }: { secure: boolean }): string {
  const name = secure ? NAMES.secure : NAMES.plain;
  const maxAge = token === null ? 0 : LIMITS.sessionMs / 1_000;
  return `${name}=${token ?? ''}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}
