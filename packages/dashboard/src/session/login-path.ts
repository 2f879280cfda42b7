/** The login page, which leads back to `url`. */
export const loginPath = (url: string): string =>
  url === '/' ? '/login' : `/login?next=${encodeURIComponent(url)}`;

/** The address to go to after the login: never another site, whatever a link says. It may be a page of the server's own. */
export function returnPath(next: string | undefined): string {
  const target = next === undefined ? null : URL.parse(next, location.origin);
  // As an address, a path with two slashes in front would name another site.
  const own = target?.origin === location.origin && !/^\/(?:\/|login$)/.test(target.pathname);
  return own ? target.pathname + target.search : '/';
}
