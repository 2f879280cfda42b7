import { readPointer } from '../../domain/json/json-pointer.ts';
import type { ProviderConnection, Notification, NotifyResult, ProviderTools } from '../provider.ts';
import { plainMarkdown } from '../../domain/templates/escaping.ts';
import { stamp } from '../signatures/stamp.ts';
import { titleOf } from '../texts/title.ts';
import { gitlabApi } from './api.ts';
import { gitlabSecret } from './ingest/verify.ts';

// GitLab's own references: `group/project`, with `#12` for an issue and `!34` for a merge request.
const CHANNEL = /^(?<project>[\w.-]+(?:\/[\w.-]+)+)?(?:(?<sign>[#!])(?<number>[1-9]\d{0,9}))?$/;

/** Comments on an issue or merge request, or opens an issue. */
export async function notifyGitlab(
  { credentials, config }: ProviderConnection,
  { text, markdown }: Notification,
  tools: ProviderTools,
): Promise<NotifyResult> {
  const groups = CHANNEL.exec(config.channel ?? '')?.groups;
  const project = groups?.['project'] ?? credentials['project'];
  if (!groups || project === undefined) {
    const error =
      'config.channel must be group/project#12 or group/project!34 to comment, or group/project to open an issue';
    return { ok: false, destination: config.channel ?? 'gitlab', error, refused: null };
  }
  const { sign, number } = groups;
  const path = `/projects/${encodeURIComponent(project)}/${sign === '!' ? 'merge_requests' : 'issues'}`;
  const destination = number === undefined ? project : `${project}${sign}${number}`;
  const body = stamp(markdown ?? plainMarkdown(text), gitlabSecret(credentials));
  const { status, message, ...response } = await gitlabApi(credentials, tools).call(
    'POST',
    number === undefined ? path : `${path}/${number}/notes`,
    number === undefined ? { title: titleOf(text), description: body } : { body },
  );
  if (status !== 201) {
    return {
      ok: false,
      destination,
      error: `GitLab responded with ${status || 'nothing'}${message ? `: ${message}` : ''}`,
      refused: status === 401 || status === 403 ? 'credentials' : 'destination',
    };
  }
  const opened = number === undefined ? readPointer(response.body, '/iid') : undefined;
  return { ok: true, destination: typeof opened === 'number' ? `${project}#${opened}` : destination };
}
