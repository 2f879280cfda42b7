import { readPointer } from '../../domain/json/json-pointer.ts';
import type { ActionResult, ProviderAction } from '../provider.ts';
import { linearApi, type LinearRefusal } from './api.ts';
import { ownId } from './own.ts';
import { findTeam } from './team.ts';

const ISSUE =
  'mutation ($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { identifier url } } }';

const createIssue: ProviderAction = {
  name: 'Create an issue',
  inputs: {
    team: {
      type: 'string',
      description: 'Key of the team, such as ENG. Default: that of the integration.',
      required: false,
    },
    title: { type: 'string', description: 'Title of the issue.', required: true },
    description: { type: 'text', description: 'Text of the issue, in Markdown.', required: false },
  },
  outputs: ['identifier', 'url'],
  async run({ credentials }, { team = '', title = '', description = '' }, tools) {
    const key = team.trim() || (credentials['team'] ?? '');
    if (!/^[A-Z][A-Z\d]{0,6}$/.test(key))
      return { ok: false, error: 'input.team must be the key of a team, such as ENG' };
    const api = linearApi(credentials, tools);
    const teamId = await findTeam(api, key);
    if (typeof teamId !== 'string') return failed(teamId);
    const secret = credentials['webhook_secret'];
    const own = secret === undefined ? {} : { id: ownId(secret) };
    const answer = await api.ask(ISSUE, { input: { ...own, teamId, title: title.trim(), description } });
    if (!answer.ok) return failed(answer);
    const identifier = readPointer(answer.data, '/issueCreate/issue/identifier');
    const url = readPointer(answer.data, '/issueCreate/issue/url');
    return {
      ok: true,
      output: {
        identifier: typeof identifier === 'string' ? identifier : null,
        url: typeof url === 'string' ? url : null,
      },
    };
  },
};

const failed = ({ why, message }: LinearRefusal): ActionResult => ({
  ok: false,
  error: `Linear refused: ${message}`,
  ...(why === 'credentials' ? { refused: 'credentials' } : {}),
});

/** Actions of automations in Linear. */
export const linearActions = { 'linear.create_issue': createIssue };
