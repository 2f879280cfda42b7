import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import type { Transport, TransportRequest, TransportResponse } from '../core/transport.ts';
import type { HeaderName } from '../internal/headers.ts';

/**
 * Settings of {@link nodeTransport}.
 *
 * @example
 * ```ts
 * import { Agent as PlainAgent } from 'node:http';
 * import { Agent } from 'node:https';
 * import { nodeTransport, type NodeTransportOptions } from '@hubline/sdk/node';
 *
 * const [secure, plain] = [new Agent({ keepAlive: true, maxSockets: 20 }), new PlainAgent({ keepAlive: true })];
 * const agent: NodeTransportOptions['agent'] = (protocol) => (protocol === 'https:' ? secure : plain);
 * const transport = nodeTransport({ agent });
 * ```
 */
export interface NodeTransportOptions {
  /**
   * Returns the agent for `http:` or `https:`. Called for each request.
   *
   * @default Node's own: http.globalAgent and https.globalAgent
   */
  agent?: ((protocol: string) => Agent) | undefined;
}

/**
 * The default transport on Node, over `node:http` and `node:https`: it takes three quarters of the CPU time of `fetch` and never
 * loads it. It decodes gzip, deflate and brotli. A kept connection that turns out to be dead before the response is replaced at once, for
 * reads and for writes with an idempotency key; every other failure is left to the retry rules.
 *
 * @param options - The agents that make the connections.
 *
 * @example
 * ```ts
 * import { Agent } from 'node:https';
 * import { Hubline, nodeTransport } from '@hubline/sdk/node';
 *
 * const agent = new Agent({ keepAlive: true, maxSockets: 20 });
 * const client = new Hubline({ transport: nodeTransport({ agent: () => agent }) });
 * ```
 */
export function nodeTransport({ agent }: NodeTransportOptions = {}): Transport {
  return async (request) => {
    for (;;) {
      const outgoing = open(request, agent);
      try {
        return toResponse(await responseTo(outgoing, request));
      } catch (error) {
        // The loop ends with a new connection at the latest, since its socket is not a reused one.
        if (!outgoing.reusedSocket || !isLost(error) || !mayRepeat(request)) throw error;
      }
    }
  };
}

// Not an `import`: the ES module of node:http reads every export, which loads fetch and takes 30 ms. Looked up for each request,
// so that functions that msw, nock or a tracer has replaced are used.
const builtin = (protocol: string) =>
  process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');

function open({ method, url, headers, body }: TransportRequest, agent: NodeTransportOptions['agent']) {
  const target = new URL(url);
  return builtin(target.protocol).request(target, {
    method,
    agent: agent?.(target.protocol),
    headers: {
      'accept-encoding': 'gzip, deflate, br',
      ...headers,
      // Left to itself, Node would send the body of a DELETE without a length.
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    },
  });
}

function responseTo(outgoing: ClientRequest, { body, signal }: TransportRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Not the option `signal` of Node's request, which takes 10 µs.
    const abort = () => {
      reject(signal.reason as Error);
      outgoing.destroy();
    };
    outgoing.on('response', resolve);
    // Not `once`: a second error would have no listener, and end the process.
    outgoing.on('error', reject);
    // Without this listener, Node closes the connection silently.
    outgoing.on('upgrade', (_message, socket) => {
      socket.destroy();
      reject(new Error('The server tried to switch to another protocol'));
    });
    outgoing.on('close', () => signal.removeEventListener('abort', abort));
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    else outgoing.end(body);
  });
}

/** Recognizes a kept connection that was closed as it was reused. Not `instanceof`: Jest has errors of two realms. */
function isLost(error: unknown): boolean {
  const { code } = Object(error) as { readonly code?: unknown };
  return code === 'ECONNRESET' || code === 'EPIPE';
}

/** Reports whether repeating is safe: the server may have got the request before it closed the connection. */
const mayRepeat = ({ method, headers, signal }: TransportRequest): boolean =>
  (method === 'GET' || ('idempotency-key' satisfies HeaderName) in headers) && !signal.aborted;

function toResponse(message: IncomingMessage): TransportResponse {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(message.headers))
    headers[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  const status = message.statusCode ?? 0;
  if (status !== 204 && status !== 304) return { status, headers, body: decode(message) };
  // Frees the connection.
  message.resume();
  return { status, headers, body: null };
}

/** The encodings that fetch decodes. Unlike in fetch, a body that is cut off is an error. */
const DECODERS = new Map<string, (zlib: typeof import('node:zlib')) => Transform>([
  ['gzip', ({ createUnzip }) => createUnzip()],
  ['x-gzip', ({ createUnzip }) => createUnzip()],
  ['deflate', ({ createUnzip }) => createUnzip()],
  ['br', ({ createBrotliDecompress }) => createBrotliDecompress()],
]);

/** The bytes of a body, decoded if its encoding is known. */
function decode(message: IncomingMessage): Readable {
  const { 'content-encoding': coding = '', 'content-length': length } = message.headers;
  // Servers send one encoding. Several are left as they are, so that no bomb can be wrapped in another.
  const decoder = DECODERS.get(coding.trim().toLowerCase());
  if (!decoder || length === '0') return message;
  // The callback is empty, since an error reaches the reader of the result.
  return process
    .getBuiltinModule('node:stream')
    .pipeline(message, decoder(process.getBuiltinModule('node:zlib')), () => {});
}
