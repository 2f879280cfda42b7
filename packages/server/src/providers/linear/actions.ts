import { readPointer } from '../../domain/json/json-pointer.ts';
import type { ActionResult, ProviderAction } from '../provider.ts';
import { linearApi, type LinearRefusal } from './api.ts';
import { ownId } from './ingest/own.ts';
import { findTeam } from './team.ts';

const ISSUE =
  'mutation ($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { identifier url } } }';

const FIND = 'query ($id: String!) { issue(id: $id) { identifier url } }';

const createIssue: ProviderAction = {
  name: 'Create an issue',
  inputs: {
    team: {
      type: 'string',
      description: 'Key of the team, such as ENG. Default: the team of the integration.',
      required: false,
    },
    title: { type: 'string', description: 'Title of the issue.', required: true },
    description: { type: 'text', description: 'Text of the issue, in Markdown.', required: false },
  },
  outputs: ['identifier', 'url'],
  async run({ credentials }, { team = '', title = '', description = '' }, { tools, key: step, again }) {
    const key = team.trim() || (credentials['team'] ?? '');
    if (!/^[A-Z][A-Z\d]{0,6}$/.test(key))
      return { ok: false, error: 'input.team must be the key of a team, such as ENG' };
    const api = linearApi(credentials, tools);
    const secret = credentials['webhook_secret'] ?? '';
    // Linear never creates two issues with the same ID.
    const id = ownId(secret, step);
    const made = again ? await api.ask(FIND, { id }) : null;
    if (made?.ok && readPointer(made.data, '/issue/identifier') !== undefined)
      return done(made.data, '/issue');
    const teamId = await findTeam(api, key);
    if (typeof teamId !== 'string') return failed(teamId);
    const response = await api.ask(ISSUE, { input: { id, teamId, title: title.trim(), description } });
    return response.ok ? done(response.data, '/issueCreate/issue') : failed(response);
  },
};

function done(data: unknown, pointer: string): ActionResult {
  const identifier = readPointer(data, `${pointer}/identifier`);
  const url = readPointer(data, `${pointer}/url`);
  return {
    ok: true,
    output: {
      identifier: typeof identifier === 'string' ? identifier : null,
      url: typeof url === 'string' ? url : null,
    },
  };
}

const failed = ({ why, message }: LinearRefusal): ActionResult => ({
  ok: false,
  error: `Linear refused: ${message}`,
  ...(why === 'credentials' ? { refused: 'credentials' } : {}),
});

/** Actions of automations in Linear. */
export const linearActions = { 'linear.create_issue': createIssue };
