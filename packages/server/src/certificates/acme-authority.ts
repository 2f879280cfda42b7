import type { Authorization, Client, Order } from 'acme-client';
import { pause } from '../clock/timer.ts';
import type { ProviderHttp } from '../outbound/provider-http.ts';
import { adapter, detailOf, withTransport } from './acme-transport.ts';
import { type Authority, AuthorityProblem, type CertificateRequest } from './authority.ts';
import type { CertificateStore } from './certificate-store.ts';
import { CHALLENGES, type Challenges, type ChallengeType } from './challenges.ts';

interface AcmeOptions {
  /** The URL of the authority's directory. */
  directory: string;
  /** An email address for its notices. Some authorities send none. */
  email: string | undefined;
  store: CertificateStore;
  challenges: Challenges;
  providerHttp: ProviderHttp;
}

// A challenge takes a few seconds: the authority checks it from several places.
const FIRST_POLL_MS = 250;
const SLOWEST_POLL_MS = 4_000;
const DEADLINE_MS = 3 * 60_000;

/** An authority that speaks ACME (RFC 8555). An operator who sets a domain agrees to its terms. */
export class AcmeAuthority implements Authority {
  readonly name: string;
  readonly #options: AcmeOptions;

  constructor(options: AcmeOptions) {
    this.#options = options;
    this.name = new URL(options.directory).host;
  }

  issue(request: CertificateRequest): Promise<string> {
    return withTransport(this.#options, () => this.#issue(request));
  }

  async #issue(request: CertificateRequest): Promise<string> {
    const { store } = this.#options;
    const client = await this.#login();
    const pending = await this.#resume(client);
    const { order, key } = pending ?? (await this.#order(client, request));
    const ready = await this.#finish(client, { order, key, signal: request.signal });
    const chain = await client.getCertificate(ready);
    const pem = `${key.trim()}\n${chain}`;
    store.saveCertificate(pem);
    return pem;
  }

  /** Finds the account by its key, or creates one. */
  async #login(): Promise<Client> {
    const { directory, email, store } = this.#options;
    const acme = await loadAcme();
    acme.axios.defaults.adapter = adapter;
    const known = store.accountKey;
    const accountKey = known ?? (await newKey());
    if (known === null) store.saveAccountKey(accountKey);
    const client = new acme.Client({ directoryUrl: directory, accountKey });
    const contact = email === undefined ? {} : { contact: [`mailto:${email}`] };
    if (known !== null && (await hasAccount(client))) {
      if (email !== undefined) await client.updateAccount(contact);
    } else await client.createAccount({ termsOfServiceAgreed: true, ...contact });
    return client;
  }

  /** Continues the order of a process that has ended: authorities give only a few certificates for one name in a week. */
  async #resume(client: Client): Promise<{ order: Order; key: string } | null> {
    const { store } = this.#options;
    const { pending } = store;
    // The certificate is stored before the order is forgotten: an earlier process may have ended in between.
    if (pending === null || store.certificate?.startsWith(pending.key.trim())) return null;
    try {
      const order = await client.getOrder({ url: pending.url } as Order);
      if (order.status !== 'invalid' && order.status !== 'pending') return { order, key: pending.key };
    } catch (error) {
      if (!(error instanceof AuthorityProblem) || TRANSIENT.has(error.type)) throw error;
    }
    store.forgetPending();
    return null;
  }

  async #order(client: Client, request: CertificateRequest): Promise<{ order: Order; key: string }> {
    const order = await client.createOrder({ identifiers: [{ type: 'dns', value: request.domain }] });
    for (const authorization of await client.getAuthorizations(order))
      if (authorization.status !== 'valid') await this.#prove(client, { order, authorization, request });
    const key = await newKey();
    // Stored before it is used: the certificate is worthless without its key.
    this.#options.store.savePending({ url: order.url, key });
    return { order, key };
  }

  /** Serves the response to a challenge until the authority has checked it. */
  async #prove(
    client: Client,
    given: { order: Order; authorization: Authorization; request: CertificateRequest },
  ): Promise<void> {
    const { order, authorization, request } = given;
    // The types of the library leave out TLS-ALPN-01, which it knows.
    const offered = authorization.challenges as { type: string; token: string; url: string }[];
    const type = [request.challenge, ...CHALLENGES].find((name) => offered.some((one) => one.type === name));
    const challenge = offered.find((one) => one.type === type) as
      | Authorization['challenges'][number]
      | undefined;
    if (type === undefined || challenge === undefined)
      throw new AuthorityProblem('unsupported', 'it offers neither TLS-ALPN-01 nor HTTP-01');
    const response = await client.getChallengeKeyAuthorization(challenge);
    using _ = await this.#show({ type, token: challenge.token, response }, authorization);
    await client.completeChallenge(challenge);
    await poll(request.signal, async () => {
      const [now] = await client.getAuthorizations({ ...order, authorizations: [authorization.url] });
      if (now?.status === 'valid') return true;
      return now === undefined || now.status === 'pending' ? undefined : refuse(now, type);
    });
  }

  async #show(
    { type, token, response }: { type: ChallengeType; token: string; response: string },
    authorization: Authorization,
  ): Promise<Disposable> {
    const { challenges } = this.#options;
    if (type === 'http-01') return challenges.showText(token, response);
    const { crypto } = await loadAcme();
    const [key, cert] = await crypto.createAlpnCertificate(authorization, response, await newKey());
    return challenges.showCertificate(authorization.identifier.value, {
      key: String(key),
      cert: String(cert),
    });
  }

  /** Requests the certificate once the order is ready, and waits until it is issued. */
  async #finish(
    client: Client,
    { order, key, signal }: { order: Order; key: string; signal: AbortSignal },
  ): Promise<Order> {
    const { crypto } = await loadAcme();
    const altNames = order.identifiers.map(({ value }) => value);
    let sent = false;
    return poll(signal, async () => {
      const now = await client.getOrder(order);
      if (now.status === 'valid') return now;
      if (now.status === 'invalid') {
        const { type = 'unknown', detail = 'it made no certificate' } = detailOf(now.error) ?? {};
        this.#options.store.forgetPending();
        throw new AuthorityProblem(type, detail);
      }
      if (now.status === 'ready' && !sent) {
        const [, request] = await crypto.createCsr({ altNames }, key);
        sent = true;
        const finalized = await client.finalizeOrder(now, request);
        if (finalized.status === 'valid') return finalized;
      }
      return undefined;
    });
  }
}

/** Loads the library when it is needed: that takes 0.3 s of CPU time. Node does not see all of its named exports. */
const loadAcme = async () => (await import('acme-client')).default;

/** Problems that pass by themselves, and say nothing about the order. */
const TRANSIENT = new Set(['rateLimited', 'serverInternal', 'badNonce']);

/** Reports whether the key has an account. Creating it again would be an empty update, which is an error. */
async function hasAccount(client: Client): Promise<boolean> {
  try {
    await client.createAccount({ onlyReturnExisting: true });
    return true;
  } catch (error) {
    if (error instanceof AuthorityProblem && error.type === 'accountDoesNotExist') return false;
    throw error;
  }
}

async function newKey(): Promise<string> {
  const { crypto } = await loadAcme();
  return String(await crypto.createPrivateEcdsaKey());
}

function refuse({ status, challenges }: Authorization, type: ChallengeType): never {
  const failed = challenges.find(({ type: one }) => one === (type as string));
  const unknown = { type: 'unknown', detail: `its authorization is ${status}, and it gave no reason` };
  const { type: kind, detail } = detailOf(failed?.error) ?? unknown;
  throw new AuthorityProblem(kind, detail, { challenge: type });
}

/** Asks until the result is a value, with growing pauses. */
async function poll<Value>(signal: AbortSignal, ask: () => Promise<Value | undefined>): Promise<Value> {
  const end = performance.now() + DEADLINE_MS;
  for (let ms = FIRST_POLL_MS; ; ms = Math.min(2 * ms, SLOWEST_POLL_MS)) {
    const value = await ask();
    if (value !== undefined) return value;
    if (performance.now() > end)
      throw new AuthorityProblem('slow', `it has not finished within ${DEADLINE_MS / 60_000} minutes`);
    await pause(ms, signal);
  }
}
