import { type AddressInfo, isIPv6 } from 'node:net';
import type { Certificates } from '../../certificates/open-certificates.ts';
import type { ServerConfig } from '../../config/config.ts';
import { loopbackAddresses } from '../../system/loopback.ts';
import { createHttpServer, type HttpServerOptions } from './http-server.ts';
import { createPlainPort } from './plain-port.ts';
import { readTls } from './tls-files.ts';

/** The ports of a server. */
export interface Listeners {
  /** Opens them. Throws `ConfigError` if one cannot be opened. */
  listen(): Promise<ListeningAt>;
  /** Accepts nothing more, lets the requests under way end, then closes the connections. */
  close(): Promise<void>;
  /** The time for which the HTTP thread has worked, in milliseconds; 0 if there is none. */
  busyMs(): number;
}

/** The URLs of a server that listens. */
interface ListeningAt {
  /** The URL at which it listens. */
  url: string;
  /** The URL of the port that redirects there from plain HTTP; `null` without a domain. */
  plainUrl: string | null;
}

type ListenerOptions = Omit<HttpServerOptions, 'tls' | 'headers'> & { clock: () => Date };

// Browsers use only HTTPS for a year, as hstspreload.org asks for. Subdomains are left out: they may belong to other
// servers.
const HSTS = { 'Strict-Transport-Security': 'max-age=31536000' };

/** One port; or, with a domain, one for HTTPS with its certificate and one for plain HTTP. */
export function createListeners(
  config: ServerConfig,
  certificates: Certificates | null,
  options: ListenerOptions,
): Listeners {
  const { host, port, httpPort, httpsPort, publicUrl = '', names } = config;
  if (certificates === null) {
    const tls = readTls(config);
    const server = createHttpServer({ ...options, tls });
    return {
      async listen() {
        return {
          url: urlOf(await server.listen({ host, port, setting: 'port', names }), tls !== null),
          plainUrl: null,
        };
      },
      close: server.close,
      busyMs: server.busyMs,
    };
  }
  const { domain, challenges, renewal } = certificates;
  const secure = createHttpServer({
    ...options,
    thread: false,
    headers: HSTS,
    tls: { ...pairOf(renewal.certificate), ALPNCallback: challenges.chooseProtocol },
  });
  const { refuse, clock } = options;
  const plain = createHttpServer({
    ...options,
    thread: false,
    fetch: createPlainPort({ certificates, publicUrl, refuse, clock }),
    tls: null,
  });
  return {
    async listen() {
      const at = await secure.listen({ host, port: httpsPort, setting: 'httpsPort', names });
      const below = await plain.listen({ host, port: httpPort, setting: 'httpPort', names });
      certificates.start((certificate) => secure.swapCertificate(pairOf(certificate)));
      // If the operator named a port, a router forwards the port of the URL to it.
      const url = httpsPort === 0 ? `https://${domain}:${at.port}` : publicUrl;
      return { url, plainUrl: urlOf(below, false) };
    },
    async close() {
      await Promise.all([secure.close(), plain.close()]);
    },
    busyMs: () => 0,
  };
}

/** Key and chain are in one PEM text; Node finds each in it. */
const pairOf = (certificate: { pem: string } | null): { key?: string; cert?: string } =>
  certificate === null ? {} : { key: certificate.pem, cert: certificate.pem };

function urlOf({ address, port }: AddressInfo, secure: boolean): string {
  // Nobody can open 0.0.0.0 or ::. The URL has a loopback address instead, that of IPv4 if there is one, because IPv6
  // may be off.
  const [own = '127.0.0.1'] = address === '0.0.0.0' ? [] : loopbackAddresses();
  const host = address === '0.0.0.0' || address === '::' ? own : address;
  return `${secure ? 'https' : 'http'}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
