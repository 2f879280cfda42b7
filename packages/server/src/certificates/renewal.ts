import type { Timer } from '../clock/timer.ts';
import type { Logger } from '../log/log.ts';
import type { CertificateStatus } from '../system/server-info.ts';
import { type Authority, AuthorityProblem } from './authority.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import type { CertificateStore, Failures } from './certificate-store.ts';
import { CHALLENGES, type ChallengeType } from './challenges.ts';
import { explainProblem } from './explain-problem.ts';
import { nextAttempt, renewalOf } from './renewal-time.ts';

interface RenewalDeps {
  clock: () => Date;
  timer: Timer;
  log: Logger;
  store: CertificateStore;
  authority: Authority;
}

// Timers do not notice that a machine slept or that its clock was set, and none can run for more than 24 days.
const RECHECK_MS = 60 * 60_000;
// Let's Encrypt issues only five certificates for the same names in a week.
const WRONG_CLOCK_MS = 48 * 60 * 60_000;

const NO_FAILURE = { failures: 0, failedAt: null, retryAfterMs: 0 };

/**
 * Keeps a certificate for one domain: gets the first, renews it in time, and keeps serving the old one if that fails.
 */
export class Renewal {
  readonly #domain: string;
  readonly #deps: RenewalDeps;
  readonly #stop = new AbortController();
  #certificate: Certificate | null;
  #failed: Failures | null;
  /** The number of failures since this process started. */
  #failures = 0;
  #challenge: ChallengeType;
  #cancel = (): unknown => undefined;
  #attempting: Promise<void> | null = null;
  #serve: (certificate: Certificate) => void = () => undefined;

  /**
   * Takes over the certificate or the failures that an earlier process stored. Otherwise a server that is restarted again and again would
   * exceed the limits of the authority.
   */
  constructor(domain: string, deps: RenewalDeps) {
    this.#domain = domain;
    this.#deps = deps;
    const stored = deps.store.certificate;
    this.#certificate = stored === null ? null : readCertificate(stored, domain);
    if (stored !== null && this.#certificate === null)
      deps.log.warn(
        {},
        `${deps.store.path} holds no key with its certificate for ${domain}: a new one is ordered`,
      );
    this.#failed = deps.store.failures;
    this.#challenge = this.#failed?.challenge ?? 'tls-alpn-01';
    if (this.#failed !== null && this.#dueAt > deps.clock())
      deps.log.warn(
        { domain, next_try_at: this.#dueAt },
        `no certificate is ordered yet, because an earlier attempt failed; to try at once, stop the server, remove ${deps.store.failuresPath}, and start it. ${this.#failed.lastError}`,
      );
  }

  /** The certificate to serve; `null` before the first. */
  get certificate(): Certificate | null {
    return this.#certificate;
  }

  get status(): CertificateStatus {
    return {
      domain: this.#domain,
      authority: this.#deps.authority.name,
      expiresAt: this.#certificate?.expiresAt ?? null,
      renewsAt: this.#certificate && renewalOf(this.#certificate),
      nextAttemptAt: this.#attempting === null ? this.#dueAt : null,
      lastError: this.#failed?.lastError ?? null,
      failures: this.#failures,
    };
  }

  /** Starts. Called once the challenges of the authority can be answered. `serve` receives each new certificate. */
  start(serve: (certificate: Certificate) => void): void {
    this.#serve = serve;
    this.#wait();
  }

  /** Aborts the order under way, and waits until it has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#cancel();
    await this.#attempting;
  }

  get #dueAt(): Date {
    return nextAttempt({ ...(this.#failed ?? NO_FAILURE), certificate: this.#certificate });
  }

  #wait(): void {
    if (this.#stop.signal.aborted) return;
    const { clock, timer } = this.#deps;
    const now = clock();
    if (this.#failed !== null && this.#failed.failedAt > now) {
      // The clock was set back, so the pause would be too long. By the new time, the certificate may still be good.
      if (this.#certificate && now < renewalOf(this.#certificate)) this.#forgetFailures();
      else this.#failed = { ...this.#failed, failedAt: now };
    }
    const left = this.#dueAt.getTime() - now.getTime();
    if (left > 0) {
      this.#cancel = timer(() => this.#wait(), Math.min(left, RECHECK_MS));
      return;
    }
    this.#attempting = this.#attempt().finally(() => {
      this.#attempting = null;
      this.#wait();
    });
  }

  async #attempt(): Promise<void> {
    const { authority, log } = this.#deps;
    const domain = this.#domain;
    log.info({ domain, authority: authority.name, check: this.#challenge }, 'ordering a certificate');
    try {
      const request = { domain, challenge: this.#challenge, signal: this.#stop.signal };
      this.#accept(await authority.issue(request));
    } catch (error) {
      // An order that was cut off because the server stops has not failed.
      if (!this.#stop.signal.aborted) this.#fail(error);
    }
  }

  #accept(pem: string): void {
    const { clock, log, authority } = this.#deps;
    const certificate = readCertificate(pem, this.#domain);
    if (certificate === null)
      throw new AuthorityProblem('unknown', `its certificate is not for ${this.#domain} and this key`);
    this.#certificate = certificate;
    this.#serve(certificate);
    this.#forgetFailures();
    const { issuedAt, expiresAt } = certificate;
    log.info(
      { domain: this.#domain, authority: authority.name, expires_at: expiresAt },
      'serving a new certificate',
    );
    // Without this, a wrong clock would order one certificate after another.
    const now = clock();
    if (now >= this.#dueAt)
      throw new AuthorityProblem(
        'clock',
        `It is ${now.toISOString()} here, and the new certificate is for ${issuedAt.toISOString()} to ${expiresAt.toISOString()}`,
        { retryAfterMs: WRONG_CLOCK_MS },
      );
  }

  #forgetFailures(): void {
    if (this.#failed === null) return;
    this.#failed = null;
    this.#store((store) => store.forgetFailures());
  }

  #fail(error: unknown): void {
    const { clock, log, authority } = this.#deps;
    const { retryAfterMs = 0, challenge = null } = error instanceof AuthorityProblem ? error : {};
    this.#failures += 1;
    // The other challenge may succeed: one port may be closed, or belong to a proxy.
    if (challenge !== null) this.#challenge = CHALLENGES.find((one) => one !== challenge) ?? challenge;
    const failed = {
      failures: (this.#failed?.failures ?? 0) + 1,
      failedAt: clock(),
      retryAfterMs,
      challenge: this.#challenge,
      lastError: explainProblem(error, { domain: this.#domain, authority: authority.name }),
    };
    this.#failed = failed;
    log.warn({ domain: this.#domain, next_try_at: this.#dueAt }, failed.lastError);
    this.#store((store) => store.saveFailures(failed));
  }

  /** Changes the file of failures. Only a restart needs it, so a disk that fails does not stop the renewals. */
  #store(change: (store: CertificateStore) => void): void {
    const { store, log } = this.#deps;
    try {
      change(store);
    } catch (error) {
      log.warn({ err: error }, `${store.failuresPath} cannot be changed`);
    }
  }
}
