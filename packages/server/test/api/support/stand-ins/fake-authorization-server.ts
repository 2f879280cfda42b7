import { createHash, randomUUID } from 'node:crypto';
import { type Receiver, type ReceiverResponse, startReceiver } from './receiver.ts';

/** The rules of one vendor, and the form of its responses. */
export interface Vendor {
  authorizePath: string;
  tokenPath: string;
  pkce: boolean;
  /** The `scope` of requests; `null`: it has no scopes. */
  scope: string | null;
  /** The place in which it expects the app's secret. */
  client: 'body' | 'basic';
  /** The form of token requests. */
  request: 'form' | 'json';
  /** Parameters that an authorization request must have. */
  parameters?: Record<string, string>;
  /** The lifetime of access tokens, with a refresh token that rotates. Absent: forever. */
  expiresIn?: number;
  /** Its form of a refusal. */
  refuse?: (error: string) => ReceiverResponse;
  /** Delays a refresh, before its token is looked at. May return the response of a server that looks at no token now. */
  holdRefresh?: () => Promise<ReceiverResponse | void>;
  /** Further fields of a token response. */
  response?: Record<string, unknown>;
}

// Characters with a meaning in a query, in a form and in HTML: code that does not escape one sends another ID.
export const CLIENT = { client_id: 'Iv1.test+client&client_id=x#%41="ü', client_secret: 's3cret-of-the-app' };

interface Grant {
  redirectUri: string;
  challenge: string | null;
}

/**
 * A vendor's authorization server that accepts only correct requests.
 */
export interface AuthorizationServer extends Receiver {
  /** The access tokens that are valid now. */
  tokens: Set<string>;
  /** The refresh tokens that are valid now. */
  refreshTokens: Set<string>;
  /** Decides as the person does. Returns the URL to which the browser is sent. */
  decide(authorizationUrl: string, decision: 'allow' | 'deny'): string;
}

/** Starts such a server. `api` handles the requests that are not OAuth. */
export async function startAuthorizationServer(
  vendor: Vendor,
  api: Parameters<typeof startReceiver>[0] = () => ({ status: 404, body: { message: 'Not Found' } }),
): Promise<AuthorizationServer> {
  const codes = new Map<string, Grant>();
  const refreshTokens = new Set<string>();
  const tokens = new Set<string>();
  const refuse = vendor.refuse ?? ((error) => ({ status: 400, body: { error } }));

  function issue(): ReceiverResponse {
    const access_token = `gho_${randomUUID()}`;
    tokens.add(access_token);
    const body: Record<string, unknown> = { access_token, token_type: 'bearer', ...vendor.response };
    if (vendor.expiresIn !== undefined) {
      const refresh_token = `ghr_${randomUUID()}`;
      refreshTokens.add(refresh_token);
      Object.assign(body, { refresh_token, expires_in: vendor.expiresIn });
    }
    return { status: 200, body };
  }

  const server = await startReceiver(async (call) => {
    if (call.url !== vendor.tokenPath || call.method !== 'POST') return api?.(call) ?? { status: 404 };
    const type = call.headers['content-type'] ?? '';
    if (
      !type.startsWith(vendor.request === 'json' ? 'application/json' : 'application/x-www-form-urlencoded')
    )
      return refuse('invalid_request');
    const fields =
      vendor.request === 'json'
        ? (JSON.parse(call.body) as Record<string, string>)
        : Object.fromEntries(new URLSearchParams(call.body));
    const basic = Buffer.from(`${CLIENT.client_id}:${CLIENT.client_secret}`).toString('base64');
    const isClient =
      vendor.client === 'basic'
        ? call.headers.authorization === `Basic ${basic}`
        : fields['client_id'] === CLIENT.client_id && fields['client_secret'] === CLIENT.client_secret;
    if (!isClient) return refuse('invalid_client');
    if (fields['grant_type'] === 'refresh_token') {
      const busy = await vendor.holdRefresh?.();
      if (busy) return busy;
      return refreshTokens.delete(fields['refresh_token'] ?? '') ? issue() : refuse('invalid_grant');
    }
    const grant = codes.get(fields['code'] ?? '');
    codes.delete(fields['code'] ?? '');
    if (!grant) return refuse('invalid_grant');
    if (fields['redirect_uri'] !== grant.redirectUri) return refuse('redirect_uri_mismatch');
    const challenge = createHash('sha256')
      .update(fields['code_verifier'] ?? '')
      .digest('base64url');
    if (vendor.pkce ? challenge !== grant.challenge : 'code_verifier' in fields)
      return refuse('invalid_grant');
    return issue();
  });

  return {
    ...server,
    tokens,
    refreshTokens,
    decide(authorizationUrl, decision) {
      const url = new URL(authorizationUrl);
      const query = Object.fromEntries(url.searchParams);
      const wrong =
        url.pathname !== vendor.authorizePath ||
        query['response_type'] !== 'code' ||
        query['client_id'] !== CLIENT.client_id ||
        (query['state']?.length ?? 0) < 32 ||
        (query['scope'] ?? null) !== vendor.scope ||
        'code_challenge' in query !== vendor.pkce ||
        Object.entries(vendor.parameters ?? {}).some(([name, value]) => query[name] !== value);
      if (wrong) throw new Error(`The vendor would not show its page for ${authorizationUrl}`);
      const back = new URL(query['redirect_uri'] ?? '');
      back.searchParams.set('state', query['state'] ?? '');
      if (decision === 'deny') back.searchParams.set('error', 'access_denied');
      else {
        const code = randomUUID();
        codes.set(code, {
          redirectUri: query['redirect_uri'] ?? '',
          challenge: query['code_challenge'] ?? null,
        });
        back.searchParams.set('code', code);
      }
      return back.href;
    },
  };
}

/** Opens a link as a person does who allows the access: their browser keeps one cookie. */
export async function allowAccess(server: AuthorizationServer, url: string): Promise<void> {
  const entered = await fetch(url);
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const link = /<a href="([^"]+)">Continue/.exec(await entered.text())?.[1] ?? '';
  await fetch(server.decide(link.replaceAll('&amp;', '&'), 'allow'), {
    headers: { cookie },
    redirect: 'manual',
  });
}
