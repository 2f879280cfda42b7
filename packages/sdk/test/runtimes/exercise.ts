/** Checks that hold in every runtime, with the packages as they are published: run by scripts/packages/check-runtimes.ts. */
type Sdk = typeof import('@hubline/sdk');
type Webhooks = typeof import('@hubline/webhooks') & Pick<typeof import('@hubline/webhooks/web'), 'webhook'>;

/** The packages, as this runtime has loaded them, and the base URL of the test server. */
export interface Subject {
  readonly sdk: Sdk;
  /** `Hubline` of the other entries. */
  readonly entries: Readonly<Record<string, Sdk['Hubline']>>;
  readonly webhooks: Webhooks;
  readonly baseURL: string;
  /** True if this runtime loads the entry point for Node, which does not send with `fetch`. */
  readonly asNode: boolean;
}

const API_KEY = 'hl_ThisIsATestKeyThatMustNeverBeShown00';

/** Name of a check → the value that it got and the one that it wanted. */
type Checks = Readonly<
  Record<string, (subject: Subject) => Promise<readonly [got: unknown, wanted: unknown]>>
>;

// jsdom counts as a web page.
const options = { apiKey: API_KEY, dangerouslyAllowBrowser: true, logLevel: 'off' } as const;

const clientOf = ({ sdk, baseURL }: Subject) => new sdk.Hubline({ ...options, baseURL });

/** Resolves to the reason of a rejected promise. */
const failureOf = (call: PromiseLike<unknown>): PromiseLike<Error> =>
  call.then(
    () => new Error('It did not fail.'),
    (error: Error) => error,
  );

const checks: Checks = {
  async 'a list is read over its pages'(subject) {
    const ids = [];
    for await (const { id } of clientOf(subject).workspaces.list({ limit: 2 })) ids.push(id);
    return [ids, ['ws_1', 'ws_2', 'ws_3']];
  },
  async 'a write is repeated after a 503 with the same idempotency key and body'(subject) {
    const call = clientOf(subject).workspaces.create({ name: 'Acme', slug: 'acmé' });
    const { data, response } = await call.withResponse();
    return [
      [data, response.status, response.requestId],
      [{ attempts: 2, body: '{"name":"Acme","slug":"acmé"}' }, 201, 'req_1'],
    ];
  },
  async 'an error of the API is typed, without the key'(subject) {
    const error = await failureOf(clientOf(subject).workspaces.get('none'));
    const { isAPIError, NotFoundError } = subject.sdk;
    const shown = [String(error), error.stack, JSON.stringify(error)].join();
    return [
      [isAPIError(error, 'not_found'), error instanceof NotFoundError, shown.includes(API_KEY.slice(3))],
      [true, true, false],
    ];
  },
  async 'every entry of the package has a client, whose errors the guards of the main entry recognize'(
    subject,
  ) {
    const got = [];
    for (const Hubline of Object.values(subject.entries)) {
      const client = new Hubline({ ...options, baseURL: subject.baseURL });
      const [first] = await client.workspaces.list().toArray({ limit: 1 });
      got.push([
        first?.id,
        subject.sdk.isAPIError(await failureOf(client.workspaces.get('none')), 'not_found'),
      ]);
    }
    return [got, Object.keys(subject.entries).map(() => ['ws_1', true])];
  },
  async 'a request whose connection breaks before the response is sent again'(subject) {
    const path = `/flaky/${crypto.randomUUID()}`;
    return [await clientOf(subject).request({ method: 'GET', path }), { requests: 2 }];
  },
  async 'a compressed body is decoded, and its encodings are asked for'(subject) {
    const call = clientOf(subject).request<{ accepted: string }>({ method: 'GET', path: '/encoded' });
    const { accepted } = await call;
    return [accepted === 'gzip, deflate, br', subject.asNode];
  },
  async 'a redirect is refused, and the key goes nowhere'(subject) {
    const error = await failureOf(clientOf(subject).request({ method: 'GET', path: '/redirect' }));
    return [
      [subject.sdk.isInvalidResponseError(error), error.message.includes('not followed')],
      [true, true],
    ];
  },
  async 'an attempt ends with its timeout'(subject) {
    const call = clientOf(subject).request({ method: 'GET', path: '/hang', timeout: 100, maxRetries: 0 });
    return [subject.sdk.isTimeoutError(await failureOf(call)), true];
  },
  async 'a call ends with its signal'(subject) {
    const signal = AbortSignal.timeout(100);
    const call = clientOf(subject).request({ method: 'GET', path: '/hang', signal });
    return [subject.sdk.isAbortError(await failureOf(call)), true];
  },
  async 'a server that is not there is a ConnectionError'({ sdk }) {
    // A port that is reserved and never listened on.
    const client = new sdk.Hubline({ ...options, baseURL: 'http://127.0.0.1:1/v1', maxRetries: 0 });
    return [sdk.isConnectionError(await failureOf(client.me.get())), true];
  },
  async 'a stream of events is followed over a lost connection'(subject) {
    const stream = clientOf(subject).events.stream('ws_1');
    const ids = [];
    for await (const { event_id } of stream) {
      ids.push(event_id);
      if (ids.length === 3) break;
    }
    return [
      [...ids, stream.lastEventId],
      ['evt_1', 'evt_2', 'evt_3', 'evt_3'],
    ];
  },
  async 'the audit log comes as text'(subject) {
    let text = '';
    for await (const piece of clientOf(subject).auditLog.exportCsv('ws_1')) text += piece;
    return [text, 'id,action\naud_1,é\n'];
  },
  async 'a response is available as a web Response'(subject) {
    const response = await clientOf(subject).workspaces.list().asResponse();
    return [
      [response instanceof Response, response.status],
      [true, 200],
    ];
  },
  async 'a webhook call is signed, verified and unwrapped'({ webhooks }) {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const call = await webhooks.signTestWebhook({ secret, type: 'user.invited' });
    const request = (body: string) => new Request('https://app.example.com/hooks', { ...call, body });
    const event = await webhooks.unwrap(request(call.body), { secret, requireTimestamp: true });
    const error = (await failureOf(webhooks.unwrap(request(`${call.body} `), { secret }))) as {
      reason?: string;
    };
    const { method, headers, body } = call;
    const parts = await webhooks.unwrap({ headers, body: new TextEncoder().encode(body) }, { secret });
    return [
      [method, event.type, parts.type, error.reason, error.constructor.name],
      ['POST', 'user.invited', 'user.invited', 'mismatch', 'WebhookVerificationError'],
    ];
  },
  async 'the adapter for fetch runs the handler, once'({ webhooks }) {
    const secret = 'secret';
    const types: string[] = [];
    const seen = webhooks.memorySeen();
    const receive = webhooks.webhook({ secret, seen, onError: () => {} }, (event) => types.push(event.type));
    const call = await webhooks.signTestWebhook({ secret });
    const statuses = [];
    for (const body of [call.body, call.body, '{}']) {
      const request = new Request('https://app.example.com/hooks', { ...call, body });
      statuses.push((await receive(request)).status);
    }
    return [
      [types, statuses],
      [['event.created'], [200, 200, 401]],
    ];
  },
};

/** Runs all checks at once. Throws the failures, or returns the number of checks and the runtime. */
export async function exercise(subject: Subject): Promise<string> {
  const failures: string[] = [];
  const run = async ([name, check]: [string, Checks[string]]): Promise<void> => {
    try {
      const [got, wanted] = (await check?.(subject))?.map((value) => JSON.stringify(value)) ?? [];
      if (got !== wanted) failures.push(`${name}: got ${got}, wanted ${wanted}`);
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.stack : String(error)}`);
    }
  };
  const all = Object.entries(checks);
  await Promise.all(all.map(run));
  if (failures.length > 0) throw new Error(failures.join('\n'));
  return `${all.length} checks on ${navigator.userAgent}`;
}
