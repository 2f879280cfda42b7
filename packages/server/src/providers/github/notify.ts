import { cut } from '../../domain/cut.ts';
import { readPointer } from '../../domain/json/json-pointer.ts';
import { githubApi } from './api.ts';
import { plainMarkdown } from '../../domain/templates/escaping.ts';
import { stamp } from '../signatures/stamp.ts';
import { titleOf } from '../texts/title.ts';
import type { ProviderConnection, Notification, NotifyResult, ProviderTools } from '../provider.ts';

// GitHub takes 65,536 characters, with the stamp.
const TEXT_MAX = 65_000;
// `owner/repo`, `owner/repo#123`, or `#123` of the repository in the credentials.
const CHANNEL = /^(?<repository>[\w-]+\/(?!\.{1,2}(?:#|$))[\w.-]+)?(?:#(?<issue>[1-9]\d{0,9}))?$/;

/** Comments on an issue or pull request, or opens an issue. */
export async function notifyGithub(
  { credentials, config }: ProviderConnection,
  { text, markdown }: Notification,
  tools: ProviderTools,
): Promise<NotifyResult> {
  const groups = CHANNEL.exec(config.channel ?? '')?.groups;
  const repository = groups?.['repository'] ?? credentials['repository'];
  if (!groups || repository === undefined) {
    const error = 'config.channel must be owner/repo#123 to comment on an issue, or owner/repo to open one';
    return { ok: false, destination: config.channel ?? 'github', error, refused: null };
  }
  const issue = groups['issue'];
  const destination = issue === undefined ? repository : `${repository}#${issue}`;
  const body = stamp(cut(markdown ?? plainMarkdown(text), TEXT_MAX), credentials['webhook_secret']);
  const { status, message, ...response } = await githubApi(credentials, tools).call(
    'POST',
    issue === undefined ? `/repos/${repository}/issues` : `/repos/${repository}/issues/${issue}/comments`,
    issue === undefined ? { title: titleOf(text), body } : { body },
  );
  if (status !== 201) {
    return {
      ok: false,
      destination,
      error: `GitHub responded with ${status || 'nothing'}${message ? `: ${message}` : ''}`,
      refused: status === 401 || status === 403 ? 'credentials' : 'destination',
    };
  }
  const number = readPointer(response.body, '/number');
  return {
    ok: true,
    destination: issue === undefined && typeof number === 'number' ? `${repository}#${number}` : destination,
  };
}
