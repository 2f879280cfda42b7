import { cut } from '../../domain/cut.ts';
import { readPointer } from '../../domain/json/json-pointer.ts';
import type { ProviderConnection, Notification, NotifyResult, ProviderTools } from '../provider.ts';
import { titleOf } from '../texts/title.ts';
import { toAdf } from './adf.ts';
import { jiraApi } from './api.ts';
import { signText } from './ingest/own.ts';
import { jiraSecret } from './ingest/verify.ts';

// Jira takes 32,767 characters, with the last line.
const TEXT_MAX = 32_000;
const CHANNEL = /^(?<project>[A-Z][A-Z\d_]{1,99})(?:-(?<number>[1-9]\d{0,9}))?$/;

/** Comments on an issue, or opens a task in a project. */
export async function notifyJira(
  { credentials, config }: ProviderConnection,
  { text }: Notification,
  tools: ProviderTools,
): Promise<NotifyResult> {
  const channel = config.channel ?? credentials['project'] ?? '';
  const groups = CHANNEL.exec(channel)?.groups;
  if (!groups) {
    const error =
      'config.channel must be OPS-123 to comment on an issue, or OPS to open a task in that project';
    return { ok: false, destination: channel || 'jira', error, refused: null };
  }
  const body = toAdf(signText(cut(text, TEXT_MAX), jiraSecret(credentials)));
  const isComment = groups['number'] !== undefined;
  const fields = {
    project: { key: channel },
    issuetype: { name: 'Task' },
    summary: titleOf(text),
    description: body,
  };
  const { status, message, ...response } = await jiraApi(credentials, tools).call(
    'POST',
    isComment ? `/rest/api/3/issue/${channel}/comment` : '/rest/api/3/issue',
    isComment ? { body } : { fields },
  );
  if (status !== 201) {
    return {
      ok: false,
      destination: channel,
      error: `Jira responded with ${status || 'nothing'}${message ? `: ${message}` : ''}`,
      refused: status === 401 || status === 403 ? 'credentials' : 'destination',
    };
  }
  const key = isComment ? undefined : readPointer(response.body, '/key');
  return { ok: true, destination: typeof key === 'string' ? key : channel };
}
