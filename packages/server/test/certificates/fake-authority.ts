import { createHash, type JsonWebKey, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type AcmeResponse, type Call, openEnvelope, problem, PROBLEM } from './open-envelope.ts';
import { TestRoot } from './test-root.ts';
import { type Check, type Reach, validate } from './validate.ts';

/** The behavior of the authority, as a test sets it. */
interface Behavior {
  /** Closes every connection. */
  down?: boolean;
  /** Replaces its response to requests for the directory. */
  directory?: AcmeResponse;
  /** Responds to every order with this problem. */
  refuse?: { status: number; type: string; detail: string; headers?: Record<string, string> };
  /** Fails every check of these types with this problem. */
  failCheck?: { type: string; detail: string; checks: readonly string[] };
  /** Called for each certificate before the response to its request. */
  onIssue?: () => void;
  /** Issues certificates, but never responds to the requests for them. */
  silent?: boolean;
  /** Rejects this many nonces, though they are valid. */
  badNonces?: number;
}

interface Account {
  kid: string;
  jwk: JsonWebKey;
  contact: string[];
}

interface Order {
  account: string;
  domain: string;
  token: string;
  status: 'pending' | 'ready' | 'valid' | 'invalid';
  checks: Check[];
  certificate: string | null;
}

const DAY_MS = 86_400_000;
const CHECKS = ['http-01', 'tls-alpn-01', 'dns-01'];
const READS = ['order', 'authorization', 'certificate'];

/**
 * A strict authority (RFC 8555). It checks each nonce, signature, URL, challenge and certificate request as a real one does, and
 * issues certificates under its own root.
 */
export class FakeAuthority {
  readonly root: TestRoot;
  /** The URL of its directory. */
  directory = '';
  behavior: Behavior = {};
  /** The lag of its clock behind that of the server, in milliseconds. */
  behindMs = 0;
  /** The lifetime of its certificates. */
  lifeMs = 90 * DAY_MS;
  /** Fingerprints of the certificates that it issued, in order. */
  readonly issued: string[] = [];
  /** The number of new orders. A resumed order does not count. */
  orders = 0;
  /** The checks that it made, in order. */
  readonly checked: string[] = [];
  readonly #clock: () => Date;
  readonly #nonces = new Set<string>();
  readonly #accounts = new Map<string, Account>();
  readonly #orders = new Map<string, Order>();
  #reach = Promise.withResolvers<Reach>();

  private constructor(root: TestRoot, clock: () => Date) {
    this.root = root;
    this.#clock = clock;
  }

  /** Starts one on a port of this machine, for one test. */
  static async start(clock: () => Date = () => new Date()): Promise<FakeAuthority> {
    const root = await TestRoot.make();
    const authority = new FakeAuthority(root, clock);
    const { pem } = await root.issueFor('localhost');
    const server = createServer({ key: pem, cert: pem }, (incoming, outgoing) => {
      authority.#respond(incoming, outgoing).catch((error: unknown) => {
        outgoing.writeHead(500).end(String(error));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    authority.directory = `https://localhost:${(server.address() as AddressInfo).port}/directory`;
    return authority;
  }

  /** Sets the ports that stand for 80 and 443 of the domain. Checks wait for it. */
  reach(ports: Reach): void {
    this.#reach.resolve(ports);
    this.#reach = Promise.withResolvers();
    this.#reach.resolve(ports);
  }

  /** The certificate to trust for its own HTTPS. */
  get ca(): string {
    return this.root.pem;
  }

  get accounts(): readonly Pick<Account, 'contact'>[] {
    return [...this.#accounts.values()];
  }

  async #respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (this.behavior.down) return void incoming.socket.destroy();
    const base = new URL(this.directory).origin;
    const path = incoming.url ?? '/';
    const nonce = randomBytes(12).toString('base64url');
    this.#nonces.add(nonce);
    const { status, body, headers = {} } = await this.#route(incoming, `${base}${path}`);
    const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
    const type =
      typeof body === 'string'
        ? 'application/pem-certificate-chain'
        : status < 400
          ? 'application/json'
          : 'application/problem+json';
    outgoing.writeHead(status, { 'Replay-Nonce': nonce, ...headers, 'Content-Type': type }).end(text);
  }

  async #route(incoming: IncomingMessage, url: string): Promise<AcmeResponse> {
    const { origin, pathname } = new URL(url);
    if (pathname === '/directory') {
      if (this.behavior.directory) return this.behavior.directory;
      const paths = ['newNonce', 'newAccount', 'newOrder', 'revokeCert', 'keyChange'];
      return { status: 200, body: Object.fromEntries(paths.map((name) => [name, `${origin}/${name}`])) };
    }
    if (pathname === '/newNonce') return { status: incoming.method === 'HEAD' ? 200 : 204 };
    if (incoming.method !== 'POST') return problem(405, 'malformed', 'only POST');
    if (incoming.headers['content-type'] !== 'application/jose+json')
      return problem(415, 'malformed', 'the content type must be application/jose+json');
    const call = openEnvelope(await textOf(incoming), url, {
      keyOf: (id) => this.#accounts.get(id)?.jwk,
      takeNonce: (nonce) => this.#nonces.delete(nonce) && !this.#rejectsNonce(),
    });
    if ('status' in call) return call;
    const [, kind = '', id = ''] = pathname.split('/');
    if (kind === 'newAccount') return this.#newAccount(call, origin);
    if (kind === 'account') return this.#account(call);
    if (kind === 'newOrder') return this.#newOrder(call, origin);
    const order = this.#orders.get(id);
    if (!order || order.account !== call.kid) return problem(404, 'malformed', 'no such order');
    if (call.isRead !== READS.includes(kind))
      return problem(400, 'malformed', 'POST-as-GET is for reading, and only that');
    const steps: Record<string, () => AcmeResponse | Promise<AcmeResponse>> = {
      order: () => ({ status: 200, body: this.#orderBody(order, { id, origin }) }),
      authorization: () => ({ status: 200, body: this.#authorizationBody(order, { id, origin }) }),
      challenge: () => this.#check(order, { type: pathname.split('/')[3] ?? '', id, origin }, call.jwk),
      finalize: () => this.#finalize(order, { id, origin }, call.payload),
      certificate: () =>
        order.certificate === null
          ? problem(404, 'malformed', 'none')
          : { status: 200, body: order.certificate },
    };
    return (await steps[kind]?.()) ?? problem(404, 'malformed', 'no such resource');
  }

  #rejectsNonce(): boolean {
    const { behavior } = this;
    behavior.badNonces = (behavior.badNonces ?? 0) - 1;
    return behavior.badNonces >= 0;
  }

  /** RFC 8555, 7.3.2 and 7.3.3. */
  #account({ kid, isRead, payload }: Call): AcmeResponse {
    const account = this.#accounts.get(kid ?? '');
    const { contact } = payload as { contact?: string[] };
    if (!isRead && contact === undefined)
      return problem(400, 'malformed', 'an empty update: use POST-as-GET');
    if (account && contact) account.contact = contact;
    return { status: 200, body: { status: 'valid', contact: account?.contact } };
  }

  #newAccount({ jwk, payload }: Call, origin: string): AcmeResponse {
    const existing = [...this.#accounts.values()].find((account) => account.jwk.x === jwk.x);
    if (existing) return { status: 200, body: { status: 'valid' }, headers: { Location: existing.kid } };
    if (payload['onlyReturnExisting'] === true)
      return problem(400, 'accountDoesNotExist', 'none with this key');
    if (payload['termsOfServiceAgreed'] !== true) return problem(403, 'userActionRequired', 'agree first');
    const kid = `${origin}/account/${this.#accounts.size + 1}`;
    this.#accounts.set(kid, { kid, jwk, contact: (payload['contact'] as string[] | undefined) ?? [] });
    return { status: 201, body: { status: 'valid' }, headers: { Location: kid } };
  }

  #newOrder({ kid, payload }: Call, origin: string): AcmeResponse {
    const { refuse } = this.behavior;
    if (refuse)
      return { ...problem(refuse.status, refuse.type, refuse.detail), headers: refuse.headers ?? {} };
    const [{ value: domain = '' } = {}] = payload['identifiers'] as { value?: string }[];
    this.orders += 1;
    const id = String(this.orders);
    const checks = CHECKS.map((type): Check => ({ type, status: 'pending' }));
    const token = randomBytes(16).toString('base64url');
    const order: Order = { account: kid ?? '', domain, token, status: 'pending', checks, certificate: null };
    this.#orders.set(id, order);
    const Location = `${origin}/order/${id}`;
    return { status: 201, body: this.#orderBody(order, { id, origin }), headers: { Location } };
  }

  #orderBody({ domain, status }: Order, { id, origin }: { id: string; origin: string }) {
    return {
      status,
      identifiers: [{ type: 'dns', value: domain }],
      authorizations: [`${origin}/authorization/${id}`],
      finalize: `${origin}/finalize/${id}`,
      ...(status === 'valid' && { certificate: `${origin}/certificate/${id}` }),
    };
  }

  #authorizationBody({ domain, token, checks }: Order, { id, origin }: { id: string; origin: string }) {
    const ended = checks.find(({ status }) => status !== 'pending');
    return {
      status: ended?.status ?? 'pending',
      identifier: { type: 'dns', value: domain },
      challenges: checks.map((check) => ({
        ...check,
        token,
        url: `${origin}/challenge/${id}/${check.type}`,
      })),
    };
  }

  async #check(
    order: Order,
    { type, id, origin }: { type: string; id: string; origin: string },
    jwk: JsonWebKey,
  ): Promise<AcmeResponse> {
    const check = order.checks.find((one) => one.type === type);
    if (!check || order.status !== 'pending') return problem(400, 'malformed', 'no such check');
    this.checked.push(type);
    const { failCheck } = this.behavior;
    const issue = failCheck?.checks.includes(type)
      ? failCheck
      : await validate(await this.#reach.promise, {
          type,
          domain: order.domain,
          token: order.token,
          keyAuthorization: `${order.token}.${thumbprint(jwk)}`,
        });
    check.status = issue === null ? 'valid' : 'invalid';
    if (issue !== null) check.error = { type: `${PROBLEM}${issue.type}`, detail: issue.detail };
    order.status = issue === null ? 'ready' : 'invalid';
    return { status: 200, body: { ...check, token: order.token, url: `${origin}/challenge/${id}/${type}` } };
  }

  async #finalize(
    order: Order,
    at: { id: string; origin: string },
    payload: Record<string, unknown>,
  ): Promise<AcmeResponse> {
    if (order.status !== 'ready') return problem(403, 'orderNotReady', 'the order is not ready');
    const from = new Date(this.#clock().getTime() - this.behindMs);
    const issued = await this.root.sign(Buffer.from(String(payload['csr']), 'base64url'), {
      domain: order.domain,
      from,
      to: new Date(from.getTime() + this.lifeMs),
    });
    if (issued === null) return problem(400, 'badCSR', 'not signed, or not for this domain');
    order.status = 'valid';
    order.certificate = issued.chain;
    this.issued.push(issued.fingerprint);
    this.behavior.onIssue?.();
    if (this.behavior.silent) await new Promise(() => undefined);
    return { status: 200, body: this.#orderBody(order, at) };
  }
}

/** RFC 7638. */
function thumbprint({ crv, kty, x, y }: JsonWebKey): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
