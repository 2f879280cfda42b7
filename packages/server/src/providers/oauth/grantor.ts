import type { Provider } from '../provider.ts';
import type { ProviderTools } from '../tools.ts';
import type { OAuth, OAuthApp } from './oauth.ts';

/** A provider that can be connected with OAuth. */
export type OAuthProvider = Provider & { oauth: OAuth };

/** An app at a provider, and how the provider is reached. */
export interface Grantor {
  provider: OAuthProvider;
  app: OAuthApp;
  tools: ProviderTools;
  /** Origin in place of the provider's own, from the operator (`HUBLINE_<PROVIDER>_OAUTH_URL`). */
  origin: string | undefined;
}
