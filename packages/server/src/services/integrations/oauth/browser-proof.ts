import { isId } from '@hubline/contract';
import type { Deps } from '../../../context.ts';
import { newToken } from '../../../secrets/token.ts';

const TOKEN = /^[\w-]{43}$/;

/**
 * Binds an OAuth flow to a browser. Everything is derived from the browser's cookie, so that nothing changes if others
 * open the link.
 */
export interface BrowserProof {
  /** The secret of the browser, which its cookie keeps. */
  browser: string;
  /** The ID of the flow, and a digest that only this server makes for this browser. The state begins with them. */
  start: string;
  /** The code verifier (RFC 7636), which does not leave the server before the code is redeemed. */
  verifier: string;
}

/** Makes the proof of a browser for a flow. `kept`: the secret in its cookie from an earlier flow. */
export function browserProof(
  { vault }: Pick<Deps, 'vault'>,
  flowId: string,
  kept: string | undefined,
): BrowserProof {
  const browser = kept !== undefined && TOKEN.test(kept) ? kept : newToken();
  const text = `${flowId} ${browser}`;
  return {
    browser,
    start: `${flowId}.${vault.mac('oauth-state', text)}`,
    // Two digests, because one is shorter than RFC 7636 requires.
    verifier: vault.mac('oauth-verifier-1', text) + vault.mac('oauth-verifier-2', text),
  };
}

/**
 * The state that is sent to the provider and back: the proof of the browser, and a digest of the app's server. A workspace may name another
 * server while the browser is there: it must not get the code.
 */
export function stateOf(
  { vault }: Pick<Deps, 'vault'>,
  { start }: BrowserProof,
  { domain = '' }: { domain?: string | undefined },
): string {
  return `${start}.${vault.mac('oauth-app', `${start} ${domain}`)}`;
}

/** The start of a state; empty if it has no further digest. */
export const startOfState = (state: string): string => state.slice(0, Math.max(0, state.lastIndexOf('.')));

/** The ID of the flow that a state names; `null` if it is malformed. */
export function flowOfState(state: string): string | null {
  const [id = ''] = state.split('.', 1);
  return isId('oauthFlow', id) ? id : null;
}
