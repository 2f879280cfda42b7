import { type Behavior, drip, flood, head, notHttp, raw, says } from '../behavior.ts';

const REDIRECT = (status: number) =>
  [
    'redirect',
    `the response was ${status}: redirects are not followed; set the webhook's url to the final address`,
  ] as const;

const NO_STATUS = notHttp('its status is not a number from 100 to 999');

/** A receiver that would take the second request, if there were one. */
const redirects = (name: string, status: number, location: string): Behavior =>
  raw(name, 'long', (socket, count) =>
    count === 1
      ? socket.end(
          head(`${status} Over there`, ...(location ? [`location: ${location}`] : []), 'content-length: 0'),
        )
      : socket.end(head('200 OK', 'content-length: 0')),
  )({ status, error: REDIRECT(status) });

/** Responses that are well-formed, or nearly, and what follows from their status. */
export const RESPONSES: Behavior[] = [
  raw('answers 200 and keeps the connection', 'long', (s) =>
    s.write(head('200 OK', 'content-length: 2') + 'ok'),
  )({
    status: 200,
    body: 'ok',
  }),
  says('answers 201 without a reason', head('201', 'content-length: 0'), { status: 201, body: '' }),
  says('answers 202 without a length', head('202 Accepted') + 'until the end', {
    status: 202,
    body: 'until the end',
  }),
  raw('answers 204', 'long', (s) => s.write(head('204 No Content')))({ status: 204, body: '' }),
  says('answers 204 with a body', head('204 No Content', 'content-length: 4') + 'body', {
    status: 204,
    body: '',
  }),
  says('answers 205 with a body', head('205 Reset Content', 'content-length: 4') + 'body', { status: 205 }),
  says('answers 299', head('299 Odd'), { status: 299 }),
  says('answers 400', head('400 Bad Request'), { status: 400 }),
  says('asks for a password', head('401 Unauthorized', 'www-authenticate: Basic realm="x"'), { status: 401 }),
  says('asks for a proxy password', head('407 Proxy Authentication Required', 'proxy-authenticate: NTLM'), {
    status: 407,
  }),
  says('is gone', head('410 Gone'), { status: 410, disabled: true }),
  says('asks for another protocol', head('426 Upgrade Required', 'upgrade: h2c', 'connection: upgrade'), {
    status: 426,
  }),
  says('answers 500 and says why', head('500 Oops') + 'why', { status: 500, body: 'why' }),
  says('answers 999', head('999 Request denied'), { status: 999 }),
  says('answers with status 000', head('000 Nothing'), {
    error: NO_STATUS,
  }),
  says('answers with status 99', head('99 Short'), { error: NO_STATUS }),
  says('answers with status 1000', head('1000 Long'), { error: NO_STATUS }),
  says('answers with status abc', head('abc'), { error: NO_STATUS }),
  says('answers with status -200', head('-200 OK'), { error: NO_STATUS }),

  ...[300, 301, 302, 303, 305, 307, 308].map((status) =>
    redirects(`redirects with ${status}`, status, 'http://127.0.0.1:1/'),
  ),
  redirects('redirects to itself', 302, '/hook'),
  redirects('redirects to the metadata of the cloud', 307, 'http://169.254.169.254/latest/meta-data/'),
  redirects('redirects to a file', 302, 'file:///etc/passwd'),
  redirects('redirects to a script', 302, 'javascript:alert(1)'),
  redirects('redirects to a network path', 308, '//127.0.0.1/x'),
  redirects('redirects to nonsense', 301, 'http://[::1:'),
  redirects('redirects to nowhere', 302, ''),
  says('answers 304', head('304 Not Modified', 'etag: "x"'), { status: 304, error: REDIRECT(304) }),
  says(
    'redirects with a Refresh header',
    head('200 OK', 'refresh: 0;url=http://127.0.0.1:1/', 'content-length: 0'),
    {
      status: 200,
    },
  ),
  says('offers an alternative service', head('200 OK', 'alt-svc: h3="127.0.0.1:1"', 'content-length: 0'), {
    status: 200,
  }),

  says(
    'sends 102 and 103 first',
    head('102 Processing') + head('103 Early Hints', 'link: </a>') + head('200 OK'),
    {
      status: 200,
    },
  ),
  says('sends 5,000 hints first', head('103 Early Hints', 'link: </a>').repeat(5_000) + head('200 OK'), {
    status: 200,
  }),
  raw('sends 103 forever', 'short', (s) => drip(s, head('103 Early Hints'), 10))({
    error: ['timeout', 'no response within 3 s'],
  }),
  raw('sends hints as fast as it can', 'long', (s) =>
    flood(s, Buffer.from(head('103 Early Hints').repeat(1_000))),
  )({
    error: ['protocol', 'too much was sent before the response itself'],
  }),
  says('sends 100 without being asked', head('100 Continue') + head('200 OK'), { status: 200 }),
  says('switches protocols', head('101 Switching Protocols', 'upgrade: ws', 'connection: upgrade'), {
    error: ['protocol', 'the response asks for another protocol, which was not offered'],
  }),

  ...(
    [
      ['429 Slow down', '7', 7_000],
      ['429 Slow down', '1', 5_000],
      ['503 Busy', '0', 5_000],
      ['503 Busy', '86400', 3_600_000],
      ['429 Slow down', '99999999999999999999999999', 3_600_000],
      ['503 Busy', 'Fri, 02 Jan 1970 03:05:05 GMT', 5_000],
      ['503 Busy', 'Fri, 02 Jan 2199 03:05:05 GMT', 3_600_000],
      ['429 Slow down', '-1', 5_000],
      ['429 Slow down', 'NaN', 5_000],
      ['429 Slow down', '1e9', 5_000],
      ['429 Slow down', '', 5_000],
      ['500 Oops', '600', 5_000],
    ] as const
  ).map(([line, value, retryMs]) =>
    says(`answers ${line} with Retry-After ${JSON.stringify(value)}`, head(line, `retry-after: ${value}`), {
      status: Number(line.slice(0, 3)),
      retryMs,
    }),
  ),
  says('sends two Retry-After headers', head('429 Slow down', 'retry-after: 9', 'retry-after: 600'), {
    status: 429,
    retryMs: 9_000,
  }),
];
