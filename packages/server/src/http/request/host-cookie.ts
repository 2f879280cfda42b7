import type { Incoming } from '../front/open-requests.ts';

/**
 * The name of a cookie of this host. Over HTTPS, browsers let only this exact host set one with the prefix `__Host-`, so no other is read:
 * another host of the domain could log its visitors in to an account of its own. Over plain HTTP, on this machine, they refuse the prefix.
 */
export const hostCookie = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name);

/** `Set-Cookie` for a cookie with a name of `hostCookie`. */
export const setHostCookie = (
  [name, value]: readonly [name: string, value: string],
  { maxAge, secure }: { maxAge: number; secure: boolean },
): string => `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;

/** The values of the cookies with this name. */
export const cookiesNamed = (name: string, { headers }: Incoming): string[] =>
  (headers.cookie ?? '')
    .split(/; ?/)
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
