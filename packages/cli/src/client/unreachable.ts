import { HEADERS } from '@hubline/contract/constants';
import type { Transport, TransportRequest } from '@hubline/sdk';
import { DEFAULT_BASE_URL, isLoopback } from '../config/base-url.ts';

/** The reason why no response came from a server, in words for people, and a next step. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly hint: string;

  /** `cure`: the hint for a URL that is not the address of a Hubline server. Default: to check the server. */
  constructor(url: string, cause: unknown, cure?: string) {
    const { origin, host, hostname, port } = new URL(url);
    const proxy = proxyIn(cause, new URL(url));
    const reason = networkReason(cause);
    super(proxy === null ? reason.message({ origin, host }) : `The proxy ${proxy} cannot be reached.`, {
      cause,
    });
    if (proxy !== null) this.hint = 'Check HTTPS_PROXY and HTTP_PROXY, or name the host in NO_PROXY.';
    else if (cure !== undefined) this.hint = reason.always ? `${reason.next} ${cure}` : cure;
    else if (reason.next !== undefined) this.hint = reason.next;
    else if (isLoopback(hostname))
      // In any other directory, the command would make a new, empty database.
      this.hint = `Is the server running? Start it in its own directory, or with --data <dir>: ${startAt(port)}`;
    else this.hint = 'Check the address and the network: hubline doctor';
  }
}

/** The command that starts a server of this machine at a port. */
function startAt(port: string): string {
  const usual = port === '' || port === new URL(DEFAULT_BASE_URL).port;
  return `hubline server start${usual ? '' : ` --port ${port}`}`;
}

/** The proxy that could not be reached; `null` if it was the server itself. */
function proxyIn(cause: unknown, { hostname, port, protocol }: URL): string | null {
  const { syscall, address, hostname: sought, port: tried } = Object(cause) as Partial<NetworkError>;
  if (syscall === 'getaddrinfo' && sought !== undefined && sought !== hostname) return sought;
  const own = Number(port) || (protocol === 'https:' ? 443 : 80);
  return syscall === 'connect' && tried !== undefined && tried !== own ? `${address}:${tried}` : null;
}

/** The facts in an error of Node about a connection. */
interface NetworkError extends NodeJS.ErrnoException {
  address: string;
  hostname: string;
  port: number;
}

interface Reason {
  message(at: { readonly origin: string; readonly host: string }): string;
  /** The hint. Default: check whether the server runs. */
  readonly next?: string;
  /** The hint also applies to a source of releases. */
  readonly always?: true;
}

const refused: Reason = { message: ({ origin }) => `Nothing responds at ${origin}.` };
const unknownHost: Reason = {
  message: ({ host }) => `There is no host ${host}.`,
  next: 'Check the spelling of the address, and the network.',
};
const cutOff: Reason = { message: ({ origin }) => `${origin} closed the connection without a response.` };
const noRoute: Reason = {
  message: ({ host }) => `${host} cannot be reached from here.`,
  next: 'Check the network, and whether a proxy is needed: hubline help environment',
};
const untrusted = (why: string): Reason => ({
  message: ({ host }) => `The certificate of ${host} is not trusted: ${why}.`,
  next: 'Name your own certificate authority in NODE_EXTRA_CA_CERTS or SSL_CERT_FILE.',
  always: true,
});
const notTls: Reason = {
  message: ({ origin }) => `${origin} does not speak TLS.`,
  next: 'A server without TLS is reached with http://, on this machine only.',
};
const tooSlow: Reason = {
  message: ({ origin }) => `${origin} did not respond in time.`,
  next: 'Allow more time with --timeout.',
  always: true,
};
const notHttp: Reason = {
  message: ({ origin }) => `The server at ${origin} does not speak HTTP.`,
  next: 'Check the port of the address.',
};

const otherServer: Reason = {
  message: ({ origin }) => `The server at ${origin} is not Hubline: its responses have no X-Request-Id.`,
  next: 'Check the address, and the proxies in between.',
};

/** The code for a success without a request ID: it is from another program, because Hubline always sends one. */
const OTHER_SERVER = 'OTHER_SERVER';

/** Codes of Node and OpenSSL, and our own. */
const REASONS: Readonly<Record<string, Reason>> = {
  [OTHER_SERVER]: otherServer,
  ECONNREFUSED: refused,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ECONNRESET: cutOff,
  EPIPE: cutOff,
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  ETIMEDOUT: noRoute,
  CERT_HAS_EXPIRED: untrusted('it has expired'),
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted('it is self-signed'),
  SELF_SIGNED_CERT_IN_CHAIN: untrusted('its authority is unknown here'),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted('its authority is unknown here'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted('its authority is unknown here'),
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted('it is for another host'),
  EPROTO: notTls,
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
};

function networkReason(cause: unknown): Reason {
  if (cause instanceof Error && cause.name === 'TimeoutError') return tooSlow;
  const { code = '', message } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : { message: '' };
  const known = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  if (known) return known;
  if (code.startsWith('HPE_')) return notHttp;
  const detail = message || String(cause);
  return { message: ({ origin }) => `No response came from ${origin}: ${detail.replace(/\.$/, '')}.` };
}

/** A transport whose failures are explained for people. The error of an aborted request stays as it is. */
export function explaining(transport: Transport): Transport {
  return async (request: TransportRequest) => {
    try {
      const response = await transport(request);
      if (response.status < 300 && response.headers[HEADERS.requestId.toLowerCase()] === undefined) {
        // Ends the connection.
        for await (const _ of response.body ?? []) break;
        throw Object.assign(new Error(`The response has no ${HEADERS.requestId}.`), { code: OTHER_SERVER });
      }
      return response;
    } catch (error) {
      throw request.signal.aborted ? error : new Unreachable(request.url, error);
    }
  };
}

/** The explanation inside an error of the SDK, which wraps what the transport threw. */
export function unreachableIn(error: unknown): Unreachable | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof Unreachable) return cause;
  }
  return undefined;
}
