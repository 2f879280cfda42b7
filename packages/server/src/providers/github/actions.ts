import { readPointer } from '../../domain/json/json-pointer.ts';
import type {
  ActionInput,
  ActionResult,
  ProviderConnection,
  ProviderAction,
  ProviderStep,
} from '../provider.ts';
import { stamp } from '../signatures/stamp.ts';
import { stepMarker } from '../signatures/step-marker.ts';
import { githubApi } from './api.ts';

// No part may be `.` or `..`: a template may fill in text that strangers wrote.
const REPOSITORY = /^[\w-]+\/(?!\.{1,2}$)[\w.-]+$/;
// Longer than all attempts of a step together.
const COMMENTS_SINCE_MS = 24 * 60 * 60_000;
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
  escaping: { body: 'inert' },
  outputs: ['number', 'url'],
  async run(connection, { title = '', body = '', labels = '', ...input }, step) {
    const name = repositoryOf(connection, input['repository']);
    if (name === null) return noRepository;
    const names = labels
      .split(',')
      .map((label) => label.trim())
      .filter(Boolean);
    return post(connection, step, {
      path: `/repos/${name}/issues`,
      listed: '?state=all&per_page=100',
      text: body,
      more: { title: title.trim(), ...(names.length > 0 ? { labels: names } : {}) },
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
  escaping: { body: 'inert' },
  outputs: ['number', 'url'],
  async run(connection, { body = '', number = '', ...input }, step) {
    const name = repositoryOf(connection, input['repository']);
    if (name === null) return noRepository;
    const [, issue] = NUMBER.exec(number.trim()) ?? [];
    if (issue === undefined) return { ok: false, error: 'input.number must be the number of an issue' };
    return post(connection, step, {
      path: `/repos/${name}/issues/${issue}/comments`,
      // GitHub lists comments oldest first, whatever order is asked for.
      listed: `?per_page=100&since=${new Date(step.tools.clock().getTime() - COMMENTS_SINCE_MS).toISOString()}`,
      issue: Number(issue),
      text: body,
    });
  },
};

/** Actions of automations on GitHub. */
export const githubActions = { 'github.create_issue': createIssue, 'github.comment': comment };

const noRepository: ActionResult = {
  ok: false,
  error: 'input.repository must be owner/repo, or connect the integration with a repository',
};

function repositoryOf({ credentials }: ProviderConnection, given = ''): string | null {
  const name = given.trim() || (credentials['repository'] ?? '');
  return REPOSITORY.test(name) ? name : null;
}

/** An issue or a comment to make. */
interface Post {
  path: string;
  /** The query that lists the recent ones. */
  listed: string;
  text: string;
  more?: object;
  issue?: number;
}

async function post(
  { credentials }: ProviderConnection,
  step: ProviderStep,
  wanted: Post,
): Promise<ActionResult> {
  const { path, listed, text, more = {}, issue } = wanted;
  const api = githubApi(credentials, step.tools);
  const marker = `<!-- hubline step ${stepMarker(step.key)} -->`;
  if (step.again) {
    const { status, body: made } = await api.call('GET', `${path}${listed}`);
    const found =
      status === 200 && Array.isArray(made) ? made.find((one) => hasMarker(one, marker)) : undefined;
    if (found !== undefined) return done(found, issue);
  }
  const body = stamp(`${text}\n\n${marker}`, credentials['webhook_secret']);
  const response = await api.call('POST', path, { ...more, body });
  if (response.status === 201) return done(response.body, issue);
  const why = response.message ? `: ${response.message}` : '';
  const error = `GitHub responded with ${response.status || 'nothing'}${why}`;
  return { ok: false, error, ...(response.status === 401 ? { refused: 'credentials' } : {}) };
}

function hasMarker(made: unknown, marker: string): boolean {
  const body = readPointer(made, '/body');
  return typeof body === 'string' && body.includes(marker);
}

function done(made: unknown, issue: number | undefined): ActionResult {
  const number = issue ?? readPointer(made, '/number');
  const url = readPointer(made, '/html_url');
  return {
    ok: true,
    output: {
      number: typeof number === 'number' ? number : null,
      url: typeof url === 'string' ? url : null,
    },
  };
}
