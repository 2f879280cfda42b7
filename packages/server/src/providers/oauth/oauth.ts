import type { Credentials, ProviderTools } from '../tools.ts';

/** An app that a workspace has made at a provider. `domain` is that of a self-managed server. */
export interface OAuthApp {
  client_id: string;
  client_secret: string;
  signing_secret?: string | undefined;
  domain?: string | undefined;
}

/** The response of a token endpoint: the fields of RFC 6749, section 5.1, and the provider's own. */
export type TokenResponse = Readonly<Record<string, unknown>> & {
  access_token: string;
  refresh_token?: string | undefined;
  /** The lifetime of the access token, in seconds. Absent: unknown, or forever. */
  expires_in?: number | undefined;
};

/** The OAuth of one provider. `grant.ts` has the part that all providers share. */
export interface OAuth {
  /** The page on which a person makes the app. */
  appsUrl: string;
  /** Its authorization endpoint, and its token endpoint. */
  endpoints(app: Pick<OAuthApp, 'domain'>): { authorization: string; token: string };
  scopes: readonly string[];
  /** Default: a space, as RFC 6749 says. */
  scopeSeparator?: ',';
  /**
   * True if the provider supports PKCE (RFC 7636), which proves that the same client asks for the code and the token.
   */
  pkce: boolean;
  /** Further parameters of the authorization request. */
  parameters?: Readonly<Record<string, string>>;
  /** The part of a token request that carries the app's secret. Default: `body`. */
  clientAuthentication?: 'basic';
  /** The form of a token request. Default: a form, as RFC 6749 says. */
  tokenRequest?: 'json';
  /**
   * The part of a grant to store. Default: its token. `credentials`: only the result of `credentials`, without the
   * token.
   */
  grants?: 'credentials';
  /** The fields of an app besides its ID and secret. */
  appFields?: readonly ('signing_secret' | 'domain')[];
  /**
   * The credentials besides the token that the provider needs from now on. `known`: the previous ones, or the settings to connect with.
   * Throws `OAuthRefused` if the grant is of no use, and `ProviderUnavailable` if the provider does not respond.
   */
  credentials?(
    response: TokenResponse,
    grant: { app: OAuthApp; tools: ProviderTools; known: Credentials },
  ): Credentials | Promise<Credentials>;
}

/** The provider does not grant access, or has ended it. `message` is a reason for people, without secrets. */
export class OAuthRefused extends Error {
  override readonly name = 'OAuthRefused';
}
