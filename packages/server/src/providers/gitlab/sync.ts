import { elementTexts } from '../../domain/json/json.ts';
import { readPointer } from '../../domain/json/json-pointer.ts';
import { firstTime } from '../../domain/events/reading.ts';
import { exactId, type LoggedCall, repeatFailedCalls } from '../call-log.ts';
import type { ProviderSync } from '../provider.ts';
import { askForHook } from '../rest-hooks.ts';
import { gitlabApi } from './api.ts';
import { GITLAB_HOOK_REFUSALS, gitlabHooks } from './hooks.ts';

/**
 * Asks GitLab to repeat its failed calls. GitLab remembers them for seven days. Its API for this exists since version
 * 17.3.
 */
export const gitlabSync: ProviderSync = {
  obstacle: ({ project, group }, hook) =>
    hook === null && project === undefined && group === undefined
      ? 'names no project or group, so its webhook cannot be found; reconnect it with one'
      : null,
  async step({ credentials, url, hook }, position, tools) {
    const hooks = gitlabHooks(credentials, tools);
    const known = hook?.['domain'] === credentials['domain'] ? hook?.['path'] : undefined;
    const found =
      known === undefined && hooks ? await askForHook(hooks, url) : { ok: true as const, path: known };
    if (!found.ok) return refusal(found.response);
    const { path } = found;
    if (!path) return { ok: false, refused: 'request', reason: `GitLab has no webhook that calls ${url}` };
    const api = gitlabApi(credentials, tools);
    const log = {
      async page(cursor: string | null) {
        const response = await api.call('GET', `${path}/events?per_page=100&page=${cursor ?? '1'}`);
        if (response.status !== 200 || !Array.isArray(response.body)) return { ok: false as const, response };
        const texts = elementTexts(response.text);
        const next = response.headers['x-next-page'] ?? '';
        return {
          ok: true as const,
          calls: response.body.flatMap((call, index) => loggedCall(call, exactId(texts[index] ?? ''))),
          next: /^\d{1,9}$/.test(next) ? next : null,
        };
      },
      repeat: ({ id }: LoggedCall) => api.call('POST', `${path}/events/${id}/resend`),
      // docs.gitlab.com: at most five a minute for one webhook.
      batch: { calls: 5, pauseMs: 61_000 },
      refusal,
    };
    return repeatFailedCalls(log, position);
  },
};

function loggedCall(call: unknown, id: bigint | undefined): LoggedCall[] {
  if (id === undefined) return [];
  // The status is `internal error` when there was no response.
  const status = String(readPointer(call, '/response_status'));
  const key = readPointer(call, '/request_headers/Idempotency-Key');
  const at = firstTime(call, ['/created_at']);
  return [
    {
      id,
      dedupeKey: typeof key === 'string' ? key : null,
      failed: !/^2\d\d$/.test(status),
      at: at === null ? null : new Date(at),
    },
  ];
}

const refusal = ({ status, message }: { status: number; message: string }) => ({
  ok: false as const,
  refused: status === 401 ? ('credentials' as const) : ('request' as const),
  reason: GITLAB_HOOK_REFUSALS[status] ?? (message || `GitLab's API responded with ${status}`),
});
