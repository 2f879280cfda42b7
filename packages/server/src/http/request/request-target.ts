import { isIPv6 } from 'node:net';

/** A request target in origin form, or the reason why it is refused. */
export type RequestTarget = { ok: true; value: string } | { ok: false; issue: string };

// RFC 9110, 4.2.1: a name, an IPv4 address, or an IPv6 address in brackets; then a port, which may be missing.
const NAME = /^(?:[\w~-]+\.)*[\w~-]+\.?$/;
const AUTHORITY = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{0,5}))?$/;
const NAME_MAX = 255;
const PORT_MAX = 65_535;
const SCHEME = /^https?:\/\//i;
// Letters, digits and the marks of IDs between single slashes, as in almost every path: one test instead of
// six.
const PLAIN = /^(?:\/[\w-]+)+$/;
const PATH = /^\/(?:[\w.~!$&'()*+,=:@/-]|%[\da-f]{2})*$/i;
// RFC 3986, 2.3: letters, digits and four marks need no encoding. The others end a segment for some parsers.
const NEVER_ENCODED = /[\w.~\\/;-]/;

/**
 * Reads the raw target of a request. A path has one spelling: a proxy that filters by path, and normalizes
 * differently or not at all, must see the same path as the server.
 */
export function readTarget(raw: string): RequestTarget {
  if (PLAIN.test(raw)) return { ok: true, value: raw };
  const [scheme = ''] = SCHEME.exec(raw) ?? [];
  const [authority = ''] = scheme === '' ? [] : (/^[^/?#\\]*/.exec(raw.slice(scheme.length)) ?? []);
  if (scheme !== '' && !isAuthority(authority)) {
    return {
      ok: false,
      issue: 'The host in the target of the request must be a name or an address, and a port.',
    };
  }
  const [path = '', ...query] = raw.slice(scheme.length + authority.length).split('?');
  const issue = issueOf(scheme !== '' && path === '' ? '/' : path);
  if (issue !== null) return { ok: false, issue: `The path of the request ${issue}.` };
  return { ok: true, value: [path || '/', ...query].join('?') };
}

/** Reports whether a text is a host with or without a port, as in `Host`. */
export function isAuthority(text: string): boolean {
  const [, address, name, port = ''] = AUTHORITY.exec(text) ?? [];
  if (Number(port) > PORT_MAX) return false;
  return name === undefined ? isIPv6(address ?? '') : name.length <= NAME_MAX && NAME.test(name);
}

function issueOf(path: string): string | null {
  if (!path.startsWith('/')) return 'must begin with a slash';
  if (path.includes('\\')) return 'must not contain a backslash';
  if (path.includes(';')) return 'must not contain a semicolon';
  if (!PATH.test(path)) return 'has a character that must be percent-encoded, or a % without two digits';
  if (path.includes('//')) return 'must not contain an empty segment: write one slash, not two';
  const dots = path.split('/').find((segment) => segment === '.' || segment === '..');
  if (dots !== undefined) return `must not contain the segment "${dots}": use the resolved path`;
  const encoded = path.match(/%../g)?.find((text) => isNeverEncoded(Number.parseInt(text.slice(1), 16)));
  return encoded === undefined
    ? null
    : `must not contain ${encoded}: no path of this server needs that encoding`;
}

const isNeverEncoded = (octet: number) =>
  octet < 0x20 || octet === 0x7f || NEVER_ENCODED.test(String.fromCharCode(octet));
