import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { cut } from '../../domain/cut.ts';
import { notionApi } from './api.ts';
import { CONTENT_MAX, pageIdOf } from './page-id.ts';
import type { ProviderConnection, Notification, NotifyResult, ProviderTools } from '../provider.ts';

/** Comments on the page that `config.channel` names. */
export async function notifyNotion(
  { credentials, config }: ProviderConnection,
  { text }: Notification,
  tools: ProviderTools,
): Promise<NotifyResult> {
  const page = pageIdOf(config.channel ?? '');
  if (page === undefined) {
    const error = "config.channel must be a page's URL or ID: choose Copy link in the menu of the page";
    return { ok: false, destination: 'notion', error, refused: null };
  }
  const { status, message } = await notionApi(credentials, tools).call('POST', '/v1/comments', {
    parent: { page_id: page },
    rich_text: [{ type: 'text', text: { content: cut(text, CONTENT_MAX) } }],
  });
  // 409 means that two writes collided: the next attempt works.
  if (status === 409) throw new ProviderUnavailable("Notion's API responded with 409");
  if (status === 200) return { ok: true, destination: page };
  return {
    ok: false,
    destination: page,
    error: `Notion responded with ${status || 'nothing'}${message ? `: ${message}` : ''}`,
    refused: status === 401 || status === 403 ? 'credentials' : 'destination',
  };
}
