import type { Timer } from '../clock/timer.ts';
import type { ServerConfig } from '../config/config.ts';
import type { Logger } from '../log/log.ts';
import { createHttpClient } from '../outbound/http-client.ts';
import { createProviderHttp } from '../outbound/provider-http.ts';
import { explainDataError } from '../data-directory/explain-data-error.ts';
import { USER_AGENT } from '../assets/version.ts';
import { AcmeAuthority } from './acme-authority.ts';
import type { Certificate } from './certificate.ts';
import { CertificateStore } from './certificate-store.ts';
import { Challenges } from './challenges.ts';
import { Renewal } from './renewal.ts';

interface CertificateDeps {
  clock: () => Date;
  timer: Timer;
  log: Logger;
  /** Certificate authorities to trust instead of Node's own, in PEM. */
  ca?: string | undefined;
}

// An authority that issues the certificate during the request takes longer.
const TIMEOUT_MS = 30_000;

/** The certificate of the domain, and the responses to challenges of the authority. */
export interface Certificates {
  readonly domain: string;
  readonly challenges: Challenges;
  readonly renewal: Pick<Renewal, 'certificate' | 'status'>;
  /** Starts the renewals. Called once both ports are open. */
  start(serve: (certificate: Certificate) => void): void;
  stop(): Promise<void>;
}

/** Puts the parts together; `null` for a server without a domain. */
export function openCertificates(config: ServerConfig, deps: CertificateDeps): Certificates | null {
  const { data, domain, acmeDirectory: directory, acmeEmail: email } = config;
  if (domain === undefined) return null;
  const { clock, timer, log, ca } = deps;
  const { store, aside } = openStore(data, { domain, directory });
  if (aside !== null)
    log.warn({}, `the key of the account was damaged, and was moved to ${aside}: a new account is made`);
  const challenges = new Challenges();
  const client = createHttpClient({ policy: null, ...(ca !== undefined && { ca }) });
  const providerHttp = createProviderHttp({
    guarded: client,
    trusted: client,
    userAgent: USER_AGENT,
    timeoutMs: TIMEOUT_MS,
  });
  const authority = new AcmeAuthority({ directory, email, store, challenges, providerHttp });
  const renewal = new Renewal(domain, { clock, timer, log, store, authority });
  return {
    domain,
    challenges,
    renewal,
    start: (serve) => renewal.start(serve),
    async stop() {
      client.destroy();
      await renewal.stop();
    },
  };
}

/** Throws `ConfigError` for a folder of another user, such as one that root created. */
function openStore(data: string, names: { domain: string; directory: string }) {
  try {
    const store = new CertificateStore(data, names);
    return { store, aside: store.setDamagedAccountAside() };
  } catch (error) {
    throw explainDataError(error, data);
  }
}
