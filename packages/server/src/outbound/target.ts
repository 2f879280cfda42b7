import { isIP } from 'node:net';
import { LIMITS } from '@hubline/contract/constants';
import { isLoopbackAddress, isPublicAddress } from './address.ts';

/** The policy for addresses that users name. */
export interface TargetPolicy {
  /** Development: `http://` and `https://` to this machine, and nowhere else. */
  allowHttpLocalhost: boolean;
}

/** The verdict on a URL: usable, not a target at all (`invalid`), or a place that must not be called (`blocked`). */
export type TargetCheck = { ok: true; url: URL } | { ok: false; kind: 'invalid' | 'blocked'; issue: string };

// Privileged ports other than HTTPS are never webhook receivers. Neither are these ports, whose services react to stray
// bytes.
const SERVICE_PORTS: ReadonlySet<number> = new Set([2375, 3306, 5432, 6379, 9200, 11211]);

// The names of a cloud's metadata service.
const METADATA_NAMES: ReadonlySet<string> = new Set(['metadata.google.internal', 'metadata.goog']);

// Never delegated in the public DNS: RFC 6762, RFC 8375, ICANN resolution 2024.07.29.06.
const PRIVATE_SUFFIXES = ['.local', '.internal', '.localdomain', '.home.arpa'];

/** Reports whether an address may be dialed for a URL of this scheme. */
export function allowsAddress(policy: TargetPolicy, protocol: string, ip: string): boolean {
  if (policy.allowHttpLocalhost && isLoopbackAddress(ip)) return true;
  return protocol === 'https:' && isPublicAddress(ip);
}

/**
 * Checks a URL before it is stored and again before it is called. Names are checked here as far as possible without
 * DNS; the addresses behind them are checked when they are dialed.
 */
export function checkTargetUrl(text: string, policy: TargetPolicy): TargetCheck {
  if (text.length > LIMITS.urlMax && [...text].length > LIMITS.urlMax)
    return invalid(`must have at most ${LIMITS.urlMax} characters`);
  // The WHATWG parser drops tabs and newlines and turns backslashes into slashes: it would call a different URL than
  // people read.
  if (/[\p{Cc}\s\\]/u.test(text)) {
    return invalid('must not contain spaces, control characters or backslashes');
  }
  const url = URL.parse(text);
  if (!url) return invalid('must be an absolute URL, such as https://example.com/hooks');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return invalid('must begin with https://');
  if (url.username || url.password) {
    return invalid('must not contain a user name or password; use the signature to authenticate the call');
  }
  if (text.includes('#')) return invalid('must not contain a fragment (#…): it would never be sent');

  if (!isHostName(bareHost(url.hostname))) {
    return invalid('must name a host: parts of 1 to 63 characters between the dots, 253 in all');
  }
  const local = policy.allowHttpLocalhost && isLocalHost(url.hostname);
  if (url.protocol === 'http:' && !local) {
    return policy.allowHttpLocalhost
      ? invalid('must begin with https://; http:// is for loopback addresses only')
      : invalid('must begin with https://');
  }
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (SERVICE_PORTS.has(port) || (port < 1024 && port !== 443 && !(local && port === 80))) {
    return blocked(
      `must not use port ${port}; use 443 or a port from 1024 up that no well-known service uses`,
    );
  }
  if (!local && !allowsHost(url.hostname, policy)) {
    return blocked(
      'must point to a public address: loopback, private, reserved and metadata addresses are refused',
    );
  }
  // A letter of another script can look like an ASCII one, and people do not decode %61.
  if (HOST_IN_DISGUISE.test(text))
    return invalid(`must have its host in ASCII: write ${url.protocol}//${url.host}`);
  return { ok: true, url };
}

const HOST_IN_DISGUISE = /^\w+:\/*[^/?]*(?:[^!-~]|%)/;

/** The reach of a host, as far as its name shows without DNS. */
export function reachOf(hostname: string): 'this machine' | 'a private network' | 'the internet' {
  if (isLocalHost(hostname)) return 'this machine';
  return allowsHost(hostname, { allowHttpLocalhost: false }) ? 'the internet' : 'a private network';
}

function isLocalHost(hostname: string): boolean {
  const host = bareHost(hostname);
  return isIP(host) === 0 ? isLocalName(host) : isLoopbackAddress(host);
}

function allowsHost(hostname: string, policy: TargetPolicy): boolean {
  const host = bareHost(hostname);
  if (isIP(host) !== 0) return allowsAddress(policy, 'https:', host);
  if (isLocalName(host) || METADATA_NAMES.has(host)) return false;
  return host.includes('.') && !PRIVATE_SUFFIXES.some((suffix) => host.endsWith(suffix));
}

// Removes the brackets of IPv6 and the dot that makes a name absolute.
function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

// RFC 1035, 2.3.4. The parser accepts `localhost..` and `127.0.0.1..`, and resolvers treat the empty part differently.
function isHostName(host: string): boolean {
  return host.length <= 253 && host.split('.').every((part) => part.length > 0 && part.length < 64);
}

// RFC 6761: the whole domain means this machine.
function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function invalid(issue: string): TargetCheck {
  return { ok: false, kind: 'invalid', issue };
}

function blocked(issue: string): TargetCheck {
  return { ok: false, kind: 'blocked', issue };
}
