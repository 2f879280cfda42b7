import type { Deps } from '../../context.ts';
import type { ProviderTools } from '../../providers/provider.ts';

// The deadline for all calls to a provider during one request: an SDK waits 30 s for a response.
const DEADLINE_MS = 20_000;

/** The tools of a provider: outgoing requests with a deadline, and the operator's base URL for its API. */
export function toolsFor(
  { providerHttp, clock, config }: Pick<Deps, 'providerHttp' | 'clock' | 'config'>,
  provider: string,
): ProviderTools {
  const end = performance.now() + DEADLINE_MS;
  return {
    providerHttp: (request) => providerHttp({ ...request, timeoutMs: Math.max(1, end - performance.now()) }),
    clock,
    apiUrl: config.providerApiUrls[provider],
  };
}
