import { readPointer } from '../../domain/json/json-pointer.ts';
import type { ProviderAction } from '../provider.ts';
import { toAdf } from './adf.ts';
import { jiraApi } from './api.ts';
import { stepMarker } from '../signatures/step-marker.ts';
import { markOf, signText } from './ingest/own.ts';
import { jiraSecret } from './ingest/verify.ts';

const createIssue: ProviderAction = {
  name: 'Create an issue',
  inputs: {
    project: {
      type: 'string',
      description: 'Key of the project, such as OPS. Default: the project of the integration.',
      required: false,
    },
    summary: { type: 'string', description: 'Title of the issue.', required: true },
    description: { type: 'text', description: 'Text of the issue.', required: false },
    issue_type: { type: 'string', description: 'Name of its type. Default Task.', required: false },
  },
  outputs: ['key'],
  async run({ credentials }, { project = '', summary = '', description = '', ...input }, step) {
    const key = project.trim() || (credentials['project'] ?? '');
    if (!/^[A-Z][A-Z\d_]{1,99}$/.test(key))
      return { ok: false, error: 'input.project must be the key of a project, such as OPS' };
    const api = jiraApi(credentials, step.tools);
    const secret = jiraSecret(credentials);
    const nonce = stepMarker(step.key).slice(0, 16);
    // Without a secret, texts carry no marker.
    if (step.again && secret !== undefined) {
      const jql = `project = "${key}" AND created >= -30d AND description ~ "${markOf(nonce, secret)}"`;
      const found = await api.call(
        'GET',
        `/rest/api/3/search/jql?${new URLSearchParams({ jql, fields: 'key' }).toString()}`,
      );
      const made = readPointer(found.body, '/issues/0/key');
      if (found.status === 200 && typeof made === 'string') return { ok: true, output: { key: made } };
    }
    const { status, message, body } = await api.call('POST', '/rest/api/3/issue', {
      fields: {
        project: { key },
        issuetype: { name: input['issue_type']?.trim() || 'Task' },
        summary: summary.trim(),
        description: toAdf(signText(description, secret, nonce)),
      },
    });
    if (status !== 201) {
      const error = `Jira responded with ${status || 'nothing'}${message ? `: ${message}` : ''}`;
      return { ok: false, error, ...(status === 401 ? { refused: 'credentials' } : {}) };
    }
    const issue = readPointer(body, '/key');
    return { ok: true, output: { key: typeof issue === 'string' ? issue : null } };
  },
};

/** Actions of automations in Jira. */
export const jiraActions = { 'jira.create_issue': createIssue };
