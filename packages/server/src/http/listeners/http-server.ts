import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { getRequestListener } from '@hono/node-server';
import { Fault } from '../../domain/faults/fault.ts';
import type { Bindings } from '../handled-request.ts';
import { HttpFault } from '../response/http-fault.ts';
import type { TextReply } from '../response/reply.ts';
import { createFront } from '../front/create-front.ts';
import type { Incoming, Outgoing } from '../front/open-requests.ts';
import {
  type HttpTimeouts,
  type KeyPair,
  MAX_HEADER_BYTES,
  type NodeServerOptions,
} from '../front/node-server.ts';
import { isAuthority, readTarget } from '../request/request-target.ts';
import { faultOfRepeated } from '../request/single-headers.ts';
import { listenError, type ListenAddress } from '../ports/listen-error.ts';

type FetchCallback = Parameters<typeof getRequestListener>[0];

/** Makes the response to what does not reach the application: a request, or bytes that are not one. */
export type Refuse = (from: Incoming | { address: string | undefined }, fault: Fault) => TextReply;

export interface HttpServerOptions {
  fetch: (request: Request, bindings: Bindings) => Response | Promise<Response>;
  /** Key and certificate of a server that speaks TLS; both may come later, by `swapCertificate`. */
  tls: NodeServerOptions['tls'];
  /** Its sockets are in a thread of their own. */
  thread?: boolean;
  /** The program of that thread, for tests. */
  program?: URL | undefined;
  /** Sent with every response. */
  headers?: Readonly<Record<string, string>>;
  refuse: Refuse;
  /** Called with an error that no request can report to its client. */
  onError: (error: unknown, what: string) => void;
  /** Called if the thread of its sockets ends by itself. */
  onDeath?: (reason: Error) => void;
  timeouts?: Partial<HttpTimeouts>;
}

/** A server for an application: its sockets, the first checks of each request, and errors of the parser in the API's own shape. */
export function createHttpServer({
  fetch,
  tls,
  thread = false,
  program,
  headers = {},
  refuse,
  onError,
  onDeath = () => {},
  timeouts,
}: HttpServerOptions) {
  let listener: ReturnType<typeof getRequestListener> | undefined;
  /** Imported with the first request: it brings Node's `fetch`, which would take a tenth of the startup time. */
  const loadListener = async () => {
    const node = await import('@hono/node-server');
    // `linger.ts` handles the rest of a body whose request has its response.
    return node.getRequestListener(fetch as unknown as FetchCallback, {
      overrideGlobalObjects: false,
      autoCleanupIncoming: false,
    });
  };
  const always = Object.entries(headers);

  const handle = (incoming: Incoming, outgoing: Outgoing): void => {
    for (const [name, value] of always) outgoing.setHeader(name, value);
    const fault = faultOf(incoming);
    if (fault) return sendRefusal(outgoing, refuse(incoming, fault));
    // A fixed host cannot spoil the URL that the listener builds. Routes and links do not depend on it.
    incoming.headers.host = 'hub';
    serve(incoming, outgoing).catch((error: unknown) => {
      onError(error, 'a response could not be written');
      outgoing.destroy();
    });
  };
  const serve = async (incoming: Incoming, outgoing: Outgoing): Promise<void> => {
    listener ??= await loadListener();
    return listener(incoming as unknown as IncomingMessage, outgoing as unknown as ServerResponse);
  };
  const refuseBytes = (address: string | undefined, code: string | undefined) =>
    Promise.resolve(refuse({ address }, parserFault(code)));

  const server = createFront({
    thread,
    program,
    handle,
    tls,
    timeouts,
    refuse: refuseBytes,
    onError,
    onDeath,
  });
  return {
    /** Listens on a port. An error names the flag that set it. */
    async listen(address: ListenAddress): Promise<AddressInfo> {
      try {
        return await server.listen(address.host, address.port);
      } catch (error) {
        throw listenError(error as NodeJS.ErrnoException, address);
      }
    },
    swapCertificate: (pair: KeyPair) => server.swapCertificate(pair),
    close: () => server.close(),
    busyMs: () => server.busyMs?.() ?? 0,
  };
}

/** The last host that was checked: almost every request has the same. */
let lastHost: string | undefined;

/** Refuses what Node's parser lets through and RFC 9112 does not. Leaves the target as a path with a query. */
function faultOf(incoming: Incoming): Fault | null {
  const { headers, httpVersion, url } = incoming;
  const repeated = faultOfRepeated(incoming);
  if (repeated) return repeated;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return new Fault('invalid_request', `The request must be HTTP/1.1 or HTTP/1.0, not HTTP/${httpVersion}.`);
  }
  // RFC 9112, 6.1: other codings would have to be decoded, and a proxy that speaks HTTP/1.0 may not know any.
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return new Fault('invalid_request', 'Transfer-Encoding may only be chunked, and only in HTTP/1.1.');
  }
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect)) {
    return new HttpFault(417, 'Expect may only be 100-continue.');
  }
  if (headers.host === undefined && httpVersion === '1.1') {
    return new Fault('invalid_request', 'The request must have a Host header.');
  }
  // The application never reads it, but RFC 9112, 3.2, requires the check.
  if (headers.host !== undefined && headers.host !== lastHost && !isAuthority(headers.host)) {
    return new Fault('invalid_request', 'The Host header must be a name or an address, and a port.');
  }
  lastHost = headers.host ?? lastHost;
  const target = readTarget(url);
  if (!target.ok) return new Fault('invalid_request', target.issue);
  incoming.url = target.value;
  return null;
}

function parserFault(code: string | undefined): Fault {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = `The request headers must have at most ${MAX_HEADER_BYTES} bytes. Send fewer headers, or shorter ones.`;
    return new HttpFault(431, message);
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new HttpFault(408, 'The request took too long to arrive.');
  }
  return new Fault('invalid_request', 'The request is not valid HTTP.');
}

// The connection ends: its next bytes may belong to a request that was meant otherwise.
function sendRefusal(outgoing: Outgoing, { status, headers, body }: TextReply): void {
  outgoing.writeHead(status, { ...headers, Connection: 'close' }).end(body);
}
