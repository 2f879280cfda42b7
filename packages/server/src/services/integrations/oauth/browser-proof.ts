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
  /** Sent to the provider and back: the ID of the flow, and a digest that only this server makes for this browser. */
  state: string;
  /** The code verifier (RFC 7636), which does not leave the server before the code is redeemed. */
  verifier: string;
}

/**
 * Makes the proof of a browser for a flow. `kept`: the secret in its cookie from an earlier flow. `domain`: the server of the app. If the
 * workspace names another one while the browser is there, the proof is another one, too: no server gets the code of another.
 */
export function browserProof(
  { vault }: Pick<Deps, 'vault'>,
  { flowId, domain }: { flowId: string; domain: string | undefined },
  kept: string | undefined,
): BrowserProof {
  const browser = kept !== undefined && TOKEN.test(kept) ? kept : newToken();
  const text = [flowId, domain ?? [], browser].flat().join(' ');
  return {
    browser,
    state: `${flowId}.${vault.mac('oauth-state', text)}`,
    // Two digests, because one is shorter than RFC 7636 requires.
    verifier: vault.mac('oauth-verifier-1', text) + vault.mac('oauth-verifier-2', text),
  };
}

/** The ID of the flow that a state names; `null` if it is malformed. The caller compares the state with `browserProof`. */
export function flowOfState(state: string): string | null {
  const [id = ''] = state.split('.', 1);
  return isId('oauthFlow', id) ? id : null;
}
