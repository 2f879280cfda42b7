import type { ServerConfig } from '../config/config.ts';
import { createHttpClient, type Resolve } from '../outbound/http-client.ts';
import { createProviderHttp } from '../outbound/provider-http.ts';
import type { ProviderHttp } from '../outbound/provider-http.ts';
import { USER_AGENT } from '../assets/version.ts';
import type { ServerOverrides } from './server-overrides.ts';

/** Opens the connections to providers: URLs of users are guarded, those of the operator are trusted. */
export function openProviderHttp(
  { allowHttpLocalhost }: Pick<ServerConfig, 'allowHttpLocalhost'>,
  {
    resolve,
    providerTimeoutMs,
    providerHttp: wrap,
  }: Pick<ServerOverrides, 'providerTimeoutMs' | 'providerHttp'> & { resolve: Resolve },
): { request: ProviderHttp; destroy(): void } {
  const guarded = createHttpClient({ policy: { allowHttpLocalhost }, resolve });
  const trusted = createHttpClient({ policy: null, resolve });
  const request = createProviderHttp({
    guarded,
    trusted,
    userAgent: USER_AGENT,
    timeoutMs: providerTimeoutMs,
  });
  return {
    request: wrap?.(request) ?? request,
    destroy() {
      guarded.destroy();
      trusted.destroy();
    },
  };
}
