import {
  allowInsecureRequests,
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  AuthorizationResponseError,
  calculatePKCECodeChallenge,
  type ClientAuth,
  ClientSecretPost,
  customFetch,
  nopkce,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  ResponseBodyError,
  type TokenEndpointRequestOptions,
  type TokenEndpointResponse,
  validateAuthResponse,
} from 'oauth4webapi';
import { oneLine } from '../../domain/events/summary/summary.ts';
import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import type { Credentials } from '../tools.ts';
import type { Grantor } from './grantor.ts';
import { OAuthRefused, type TokenResponse } from './oauth.ts';
import { tokenFetch } from './token-fetch.ts';

/** Makes the URL at which a person authorizes the app (RFC 6749, section 4.1.1). */
export async function authorizationUrl(
  { provider: { oauth }, app, origin }: Pick<Grantor, 'provider' | 'app' | 'origin'>,
  { state, verifier, redirectUri }: { state: string; verifier: string; redirectUri: string },
): Promise<string> {
  const url = new URL(at(origin, oauth.endpoints(app).authorization));
  const scope = oauth.scopes.join(oauth.scopeSeparator ?? ' ');
  const parameters = {
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri: redirectUri,
    ...(scope === '' ? {} : { scope }),
    state,
    ...oauth.parameters,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (oauth.pkce) {
    url.searchParams.set('code_challenge', await calculatePKCECodeChallenge(verifier));
    url.searchParams.set('code_challenge_method', 'S256');
  }
  return url.href;
}

/** The response that the browser brings back, and the values of its request. */
export interface AuthorizationResponse {
  query: URLSearchParams;
  state: string;
  redirectUri: string;
  /** The code verifier (RFC 7636). Sent only to providers with `pkce`. */
  verifier: string;
  /** The settings to connect with. */
  settings: Credentials;
}

/** Turns the code that the browser brought into credentials. Throws `OAuthRefused`, or `ProviderUnavailable`. */
export async function redeemCode(
  grantor: Grantor,
  { query, state, redirectUri, verifier, settings }: AuthorizationResponse,
): Promise<Credentials> {
  return granted(grantor, settings, async ({ server, client, authentication, options }) => {
    const parameters = new URLSearchParams(query);
    // RFC 9207 guards clients that share one redirect URI among providers. Here each provider has its own.
    parameters.delete('iss');
    const validated = validateAuthResponse(server, client, parameters, state);
    const response = await authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      validated,
      redirectUri,
      grantor.provider.oauth.pkce ? verifier : nopkce,
      options,
    );
    return processAuthorizationCodeResponse(server, client, response);
  });
}

/**
 * Asks for a new access token. A provider that rotates refresh tokens also sends a new one, and the old one is void
 * from then on. Throws `OAuthRefused` when access has ended, or `ProviderUnavailable`.
 */
export async function refresh(grantor: Grantor, credentials: Credentials): Promise<Credentials> {
  const { provider, app } = grantor;
  const { endpoints } = provider.oauth;
  // A workspace may name another app at any time. A token goes only to the server that granted it.
  if (endpoints(app).token !== endpoints(credentials).token)
    throw new OAuthRefused(`the OAuth app of ${provider.name} now belongs to another server`);
  // The old token's expiry is dropped: a response without `expires_in` says nothing about the new one's.
  const { token_expires_at: _, ...kept } = credentials;
  const { refresh_token: token = '' } = kept;
  const fresh = await granted(grantor, credentials, async ({ server, client, authentication, options }) => {
    const response = await refreshTokenGrantRequest(server, client, authentication, token, options);
    return processRefreshTokenResponse(server, client, response);
  });
  return { ...kept, ...fresh };
}

interface Request {
  server: AuthorizationServer;
  client: { client_id: string };
  authentication: ClientAuth;
  options: TokenEndpointRequestOptions;
}

async function granted(
  grantor: Grantor,
  known: Credentials,
  ask: (request: Request) => Promise<TokenEndpointResponse>,
): Promise<Credentials> {
  const { provider, app, tools, origin } = grantor;
  const { oauth } = provider;
  const token = at(origin, oauth.endpoints(app).token);
  const authentication = oauth.clientAuthentication === 'basic' ? plainBasic : ClientSecretPost;
  const request: Request = {
    server: { issuer: new URL(token).origin, token_endpoint: token },
    client: { client_id: app.client_id },
    authentication: authentication(app.client_secret),
    options: {
      [customFetch]: tokenFetch(grantor),
      // The operator's own server, on this machine or in its network.
      [allowInsecureRequests]: origin !== undefined,
    },
  };
  let response: TokenResponse;
  try {
    response = await ask(request);
  } catch (error) {
    throw toPublicError(error, provider.name, app.client_secret);
  }
  const { access_token, refresh_token, expires_in } = response;
  const more = { auth: 'oauth', ...(await oauth.credentials?.(response, { app, tools, known })) };
  if (oauth.grants === 'credentials') return more;
  return {
    ...more,
    token: access_token,
    ...(refresh_token === undefined ? {} : { refresh_token }),
    ...(expires_in === undefined
      ? {}
      : { token_expires_at: new Date(tools.clock().getTime() + expires_in * 1_000).toISOString() }),
  };
}

/** Basic authentication as providers read it, without the form encoding of ID and secret that RFC 6749 asks for. */
const plainBasic =
  (secret: string): ClientAuth =>
  (...[, { client_id: id }, , headers]) =>
    headers.set('authorization', `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`);

/** An endpoint of the provider, or the same path at the operator's origin. */
function at(origin: string | undefined, endpoint: string): string {
  if (origin === undefined) return endpoint;
  const { pathname, search } = new URL(endpoint);
  return origin.replace(/\/+$/, '') + pathname + search;
}

/**
 * An error in words for people. The server's own words are untrusted: at most one line of them is kept, without the
 * secret.
 */
function toPublicError(error: unknown, name: string, secret: string): unknown {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const reason = REASONS.get(error.error) ?? error.error_description ?? error.error;
    return new OAuthRefused(
      `${name} did not grant access: ${oneLine(reason.replaceAll(secret, '[secret]'))}`,
    );
  }
  if (error instanceof ProviderUnavailable || error instanceof OAuthRefused) return error;
  if (
    error instanceof Error &&
    ['OperationProcessingError', 'WWWAuthenticateChallengeError'].includes(error.name)
  )
    return new ProviderUnavailable(`${name} did not give a valid OAuth response`);
  return error;
}

const REASONS = new Map([
  ['access_denied', 'you declined, or are not allowed to grant access'],
  ['invalid_client', 'the client ID or the client secret of the app is wrong'],
  ['bad_client_secret', 'the client secret of the app is wrong'],
  ['incorrect_client_credentials', 'the client ID or the client secret of the app is wrong'],
  ['bad_redirect_uri', "the redirect URL of the app does not match this server's"],
  ['redirect_uri_mismatch', "the redirect URL of the app does not match this server's"],
  ['invalid_code', 'the code was used before, or has expired; start again'],
  ['bad_verification_code', 'the code was used before, or has expired; start again'],
]);
