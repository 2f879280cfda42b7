import { readPointer } from '../../domain/json/json-pointer.ts';
import type { ProviderAction } from '../provider.ts';
import { toAdf } from './adf.ts';
import { jiraApi } from './api.ts';
import { signText } from './own.ts';
import { jiraSecret } from './verify.ts';

const createIssue: ProviderAction = {
  name: 'Create an issue',
  inputs: {
    project: {
      type: 'string',
      description: 'Key of the project, such as OPS. Default: that of the integration.',
      required: false,
    },
    summary: { type: 'string', description: 'Title of the issue.', required: true },
    description: { type: 'text', description: 'Text of the issue.', required: false },
    issue_type: { type: 'string', description: 'Name of its type. Default Task.', required: false },
  },
  outputs: ['key'],
  async run({ credentials }, { project = '', summary = '', description = '', ...input }, tools) {
    const key = project.trim() || (credentials['project'] ?? '');
    if (!/^[A-Z][A-Z\d_]{1,99}$/.test(key))
      return { ok: false, error: 'input.project must be the key of a project, such as OPS' };
    const { status, message, body } = await jiraApi(credentials, tools).call('POST', '/rest/api/3/issue', {
      fields: {
        project: { key },
        issuetype: { name: input['issue_type']?.trim() || 'Task' },
        summary: summary.trim(),
        description: toAdf(signText(description, jiraSecret(credentials))),
      },
    });
    if (status !== 201) {
      const error = `Jira answered ${status || 'nothing'}${message ? `: ${message}` : ''}`;
      return { ok: false, error, ...(status === 401 ? { refused: 'credentials' } : {}) };
    }
    const issue = readPointer(body, '/key');
    return { ok: true, output: { key: typeof issue === 'string' ? issue : null } };
  },
};

/** Actions of automations in Jira. */
export const jiraActions = { 'jira.create_issue': createIssue };
