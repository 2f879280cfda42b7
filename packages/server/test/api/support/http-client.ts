/**
 * Sends the requests of `Api`. A request through `fetch`, with its web streams, takes twice the CPU time, and the tests send tens of
 * thousands.
 */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';

const agent = new Agent({ keepAlive: true });

interface Outgoing {
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}

interface Incoming {
  status: number;
  headers: Headers;
  /** The body. Empty for a stream of events, which has no end to wait for. */
  text: string;
}

/** Sends a request, and reads the response to its end. Redirects are not followed. A connection that breaks is a `TypeError`, as with `fetch`. */
export async function sendRequest(url: string, { method, headers, body }: Outgoing): Promise<Incoming> {
  // Node leaves the length out where a method has no body as a rule, such as DELETE.
  const length = body === null ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const responded = new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { agent, method, headers: { 'User-Agent': 'node', ...length, ...headers } });
    sent.on('response', resolve).on('error', reject);
    sent.end(body ?? undefined);
  });
  try {
    const response = await responded;
    return { status: response.statusCode ?? 0, headers: headersOf(response), text: await textOf(response) };
  } catch (cause) {
    throw new TypeError('the connection broke', { cause });
  }
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  return headers;
}

async function textOf(response: IncomingMessage): Promise<string> {
  if (response.headers['content-type'] === 'text/event-stream') {
    response.destroy();
    return '';
  }
  let text = '';
  response.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await once(response, 'end');
  return text;
}
