import { elementTexts } from '../../domain/json/json.ts';
import { readPointer } from '../../domain/json/json-pointer.ts';
import { firstTime } from '../../domain/events/reading.ts';
import { exactId, type LoggedCall, repeatFailedCalls } from '../call-log.ts';
import type { ProviderSync } from '../provider.ts';
import { githubApi } from './api.ts';
import { GITHUB_HOOK_REFUSALS, findGithubHook, hookOwner } from './hooks.ts';

/** Asks GitHub to repeat its failed calls. GitHub remembers them for three days, and never repeats one by itself. */
export const githubSync: ProviderSync = {
  obstacle: (credentials, hook) =>
    hook === null && hookOwner(credentials) === null
      ? 'names no repository or organization, so its webhook cannot be found; reconnect it with one'
      : null,
  async step({ credentials, url, hook }, position, tools) {
    const api = githubApi(credentials, tools);
    const found = await findGithubHook(api, credentials, { url, hook });
    if (!found.ok) return refusal(found.response);
    if (found.path === null)
      return { ok: false, refused: 'request', reason: `GitHub has no webhook that calls ${url}` };
    const calls = `${found.path}/deliveries`;
    const log = {
      async page(cursor: string | null) {
        const position = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const response = await api.call('GET', `${calls}?per_page=100${position}`);
        if (response.status !== 200 || !Array.isArray(response.body)) return { ok: false as const, response };
        const texts = elementTexts(response.text);
        return {
          ok: true as const,
          calls: response.body.flatMap((call, index) => loggedCall(call, exactId(texts[index] ?? ''))),
          next: nextOf(response.headers['link']),
        };
      },
      repeat: ({ id }: LoggedCall) => api.call('POST', `${calls}/${id}/attempts`),
      batch: { calls: 20, pauseMs: 1_000 },
      refusal,
    };
    return repeatFailedCalls(log, position);
  },
};

function loggedCall(call: unknown, id: bigint | undefined): LoggedCall[] {
  const guid = readPointer(call, '/guid');
  // A redelivery is the same call again: the original is enough.
  if (id === undefined || readPointer(call, '/redelivery') === true) return [];
  const status = readPointer(call, '/status_code');
  const at = firstTime(call, ['/delivered_at']);
  return [
    {
      id,
      dedupeKey: typeof guid === 'string' ? guid : null,
      failed: !(typeof status === 'number' && status >= 200 && status < 300),
      at: at === null ? null : new Date(at),
    },
  ];
}

/** The cursor of the next page, in a header such as `<https://…/deliveries?per_page=100&cursor=v1_…>; rel="next"`. */
function nextOf(link = ''): string | null {
  const [, url] = /<([^>]+)>;\s*rel="next"/.exec(link) ?? [];
  return url === undefined || !URL.canParse(url) ? null : new URL(url).searchParams.get('cursor');
}

const refusal = ({ status, message }: { status: number; message: string }) => ({
  ok: false as const,
  refused: status === 401 ? ('credentials' as const) : ('request' as const),
  reason: GITHUB_HOOK_REFUSALS[status] ?? (message || `GitHub's API responded with ${status}`),
});
