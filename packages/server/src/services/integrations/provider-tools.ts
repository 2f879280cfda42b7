import type { Deps } from '../../context.ts';
import type { ProviderTools } from '../../providers/provider.ts';

// All calls of a provider for one request together: an SDK gives an attempt 30 s.
const DEADLINE_MS = 20_000;

/** The tools of a provider: the guarded way out, and the operator's base URL for its API. */
export function toolsFor(
  { outbound, clock, config }: Pick<Deps, 'outbound' | 'clock' | 'config'>,
  provider: string,
): ProviderTools {
  const end = performance.now() + DEADLINE_MS;
  return {
    outbound: (request) => outbound({ ...request, timeoutMs: Math.max(1, end - performance.now()) }),
    clock,
    apiUrl: config.providerApiUrls[provider],
  };
}
