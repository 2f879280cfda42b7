import { plainMarkdown } from '../../domain/templates/escaping.ts';
import { readPointer } from '../../domain/json/json-pointer.ts';
import { titleOf } from '../texts/title.ts';
import type { ProviderConnection, Notification, NotifyResult, ProviderTools } from '../provider.ts';
import { type LinearResponse, type LinearApi, linearApi } from './api.ts';
import { ownId } from './ingest/own.ts';
import { findTeam } from './team.ts';

const CHANNEL = /^(?<team>[A-Z][A-Z\d]{0,6})(?:-(?<number>[1-9]\d{0,9}))?$/;

const COMMENT = 'mutation ($input: CommentCreateInput!) { commentCreate(input: $input) { success } }';
const ISSUE =
  'mutation ($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { identifier } } }';

/** Comments on an issue, or opens one in a team. */
export async function notifyLinear(
  { credentials, config }: ProviderConnection,
  { text, markdown }: Notification,
  tools: ProviderTools,
): Promise<NotifyResult> {
  const channel = config.channel ?? credentials['team'] ?? '';
  const groups = CHANNEL.exec(channel)?.groups;
  if (!groups) {
    const error = 'config.channel must be ENG-123 to comment on an issue, or ENG to open one in that team';
    return { ok: false, destination: channel || 'linear', error, refused: null };
  }
  const api = linearApi(credentials, tools);
  const secret = credentials['webhook_secret'];
  const id = secret === undefined ? {} : { id: ownId(secret) };
  const response =
    groups['number'] === undefined
      ? await openIssue(api, channel, {
          ...id,
          title: titleOf(text),
          description: markdown ?? plainMarkdown(text),
        })
      : await api.ask(COMMENT, { input: { ...id, issueId: channel, body: markdown ?? plainMarkdown(text) } });
  if (!response.ok) {
    return {
      ok: false,
      destination: channel,
      error: `Linear refused: ${response.message}`,
      refused: response.why === 'request' ? 'destination' : 'credentials',
    };
  }
  const identifier = readPointer(response.data, '/issueCreate/issue/identifier');
  return { ok: true, destination: typeof identifier === 'string' ? identifier : channel };
}

async function openIssue(api: LinearApi, team: string, issue: object): Promise<LinearResponse> {
  const teamId = await findTeam(api, team);
  return typeof teamId === 'string' ? api.ask(ISSUE, { input: { ...issue, teamId } }) : teamId;
}
