import { readPointer } from '../../domain/json/json-pointer.ts';
import type { ActionInput, ActionResult, Connection, ProviderAction, ProviderTools } from '../provider.ts';
import { stamp } from '../signatures/stamp.ts';
import { githubApi } from './api.ts';

const REPOSITORY = /^[\w.-]+\/[\w.-]+$/;
const NUMBER = /^#?([1-9]\d{0,9})$/;
const repository: ActionInput = {
  type: 'string',
  description: 'owner/repo. Default: the repository of the integration.',
  required: false,
};

const createIssue: ProviderAction = {
  name: 'Create an issue',
  inputs: {
    repository,
    title: { type: 'string', description: 'Title of the issue.', required: true },
    body: { type: 'text', description: 'Text of the issue, in Markdown.', required: false },
    labels: { type: 'list', description: 'Labels, separated by commas.', required: false },
  },
  outputs: ['number', 'url'],
  async run(connection, { title = '', body = '', labels = '', ...input }, tools) {
    const place = repositoryOf(connection, input['repository']);
    if (place === null) return noRepository;
    const names = labels
      .split(',')
      .map((label) => label.trim())
      .filter(Boolean);
    return post(connection, tools, {
      path: `/repos/${place}/issues`,
      body: {
        title: title.trim(),
        body: stamp(body, connection.credentials['webhook_secret']),
        ...(names.length > 0 ? { labels: names } : {}),
      },
    });
  },
};

const comment: ProviderAction = {
  name: 'Comment on an issue or pull request',
  inputs: {
    repository,
    number: { type: 'number', description: 'Number of the issue or pull request.', required: true },
    body: { type: 'text', description: 'The comment, in Markdown.', required: true },
  },
  outputs: ['number', 'url'],
  async run(connection, { body = '', number = '', ...input }, tools) {
    const place = repositoryOf(connection, input['repository']);
    if (place === null) return noRepository;
    const [, issue] = NUMBER.exec(number.trim()) ?? [];
    if (issue === undefined) return { ok: false, error: 'input.number must be the number of an issue' };
    return post(connection, tools, {
      path: `/repos/${place}/issues/${issue}/comments`,
      issue: Number(issue),
      body: { body: stamp(body, connection.credentials['webhook_secret']) },
    });
  },
};

/** Actions of automations on GitHub. */
export const githubActions = { 'github.create_issue': createIssue, 'github.comment': comment };

const noRepository: ActionResult = {
  ok: false,
  error: 'input.repository must be owner/repo, or connect the integration with a repository',
};

function repositoryOf({ credentials }: Connection, given = ''): string | null {
  const place = given.trim() || (credentials['repository'] ?? '');
  return REPOSITORY.test(place) ? place : null;
}

async function post(
  { credentials }: Connection,
  tools: ProviderTools,
  { path, body, issue }: { path: string; body: object; issue?: number },
): Promise<ActionResult> {
  const answer = await githubApi(credentials, tools).call('POST', path, body);
  if (answer.status !== 201) {
    const why = answer.message ? `: ${answer.message}` : '';
    const error = `GitHub answered ${answer.status || 'nothing'}${why}`;
    return { ok: false, error, ...(answer.status === 401 ? { refused: 'credentials' } : {}) };
  }
  const number = issue ?? readPointer(answer.body, '/number');
  const url = readPointer(answer.body, '/html_url');
  return {
    ok: true,
    output: {
      number: typeof number === 'number' ? number : null,
      url: typeof url === 'string' ? url : null,
    },
  };
}
