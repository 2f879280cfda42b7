import type { ServerConfig } from '../config/config.ts';
import { createDispatcher } from '../outbound/dispatcher.ts';
import { createOutbound } from '../outbound/outbound-http.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { USER_AGENT } from '../assets/version.ts';
import type { ServerOverrides } from './server-overrides.ts';

/** Opens the connections to providers: URLs of users are guarded, those of the operator are trusted. */
export function openOutbound(
  { allowHttpLocalhost }: Pick<ServerConfig, 'allowHttpLocalhost'>,
  { resolve, providerTimeoutMs }: Pick<ServerOverrides, 'resolve' | 'providerTimeoutMs'>,
): { request: Outbound; destroy(): Promise<void> } {
  const guarded = createDispatcher({ policy: { allowHttpLocalhost }, ...(resolve ? { resolve } : {}) });
  const trusted = createDispatcher({ policy: null });
  return {
    request: createOutbound({ guarded, trusted, userAgent: USER_AGENT, timeoutMs: providerTimeoutMs }),
    async destroy() {
      await Promise.all([guarded.destroy(), trusted.destroy()]);
    },
  };
}
