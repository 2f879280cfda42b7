import { HEADERS } from '@hubline/contract';
import { Fault } from '../../domain/faults/fault.ts';
import type { Certificates } from '../../certificates/open-certificates.ts';
import type { Bindings } from '../handled-request.ts';
import { send } from '../response/reply.ts';
import type { Refuse } from './http-server.ts';

/** The facts on which responses over plain HTTP depend. */
interface PlainPortDeps {
  certificates: Pick<Certificates, 'domain' | 'challenges' | 'renewal'>;
  /** The `https://` URL to which pages are redirected. */
  publicUrl: string;
  refuse: Refuse;
  clock: () => Date;
}

const STALL_MS = 5_000;
const SOON_S = 5;
const TEXT = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };

/**
 * Serves plain HTTP for a server with a domain. Checks of the certificate authority get their response, pages are
 * redirected, and requests of the API are rejected (specification, "Conventions" 1): a redirect would hide that a key was
 * sent unencrypted.
 */
export function createPlainPort({ certificates, publicUrl, refuse, clock }: PlainPortDeps) {
  const { domain, challenges, renewal } = certificates;
  return (_: Request, { incoming, outgoing }: Bindings): Response => {
    const reply = (status: number, headers: Record<string, string>, body = '') =>
      send({ incoming, outgoing, responseRoom: null, stallMs: STALL_MS }, { status, headers, body });
    const { url } = incoming;
    const proof = challenges.responseTo(url);
    if (proof !== null) return reply(200, TEXT, proof);
    if (/^\/v1(?:[/?]|$)/.test(url)) {
      const issue = 'Requests go over HTTPS only. Use an https:// URL.';
      const { status, headers, body } = refuse(incoming, new Fault('invalid_request', issue));
      return reply(status, headers, body);
    }
    if (renewal.certificate !== null) return reply(308, { Location: `${publicUrl}${url}` });
    const { nextAttemptAt } = renewal.status;
    const left =
      nextAttemptAt === null ? 0 : Math.ceil((nextAttemptAt.getTime() - clock().getTime()) / 1_000);
    return reply(
      503,
      { ...TEXT, [HEADERS.retryAfter]: String(Math.max(SOON_S, left)) },
      `Hubline is waiting for the certificate of ${domain}. The server's log shows its progress.\n`,
    );
  };
}
