import { createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';

/** The kinds of challenges by which an authority checks that a name belongs to this server. */
export const CHALLENGES = ['tls-alpn-01', 'http-01'] as const;
export type ChallengeType = (typeof CHALLENGES)[number];

const HTTP_PATH = '/.well-known/acme-challenge/';
/** RFC 8737, 6.2. */
const ALPN = 'acme-tls/1';

/** The responses to the challenges that are under way. */
export class Challenges {
  readonly #texts = new Map<string, string>();
  readonly #contexts = new Map<string, SecureContext>();

  /** Returns the response to a request for a path over HTTP (HTTP-01); `null` unless an authority asks for it. */
  responseTo(path: string): string | null {
    return path.startsWith(HTTP_PATH) ? (this.#texts.get(path.slice(HTTP_PATH.length)) ?? null) : null;
  }

  showText(token: string, text: string): Disposable {
    this.#texts.set(token, text);
    return { [Symbol.dispose]: () => this.#texts.delete(token) };
  }

  showCertificate(domain: string, pair: { key: string; cert: string }): Disposable {
    this.#contexts.set(domain, createSecureContext(pair));
    return { [Symbol.dispose]: () => this.#contexts.delete(domain) };
  }

  /**
   * Chooses the protocol of a TLS connection, as `ALPNCallback` of its server. The certificate of a challenge
   * (TLS-ALPN-01) is only for that connection; all others get the certificate of the server.
   */
  get chooseProtocol() {
    const contexts = this.#contexts;
    return function choose(
      this: TLSSocket,
      { servername, protocols }: { servername: string; protocols: string[] },
    ): string | undefined {
      const context = protocols.includes(ALPN) ? contexts.get(servername) : undefined;
      if (context === undefined) return protocols.includes('http/1.1') ? 'http/1.1' : undefined;
      this.setKeyCert(context);
      return ALPN;
    };
  }
}
