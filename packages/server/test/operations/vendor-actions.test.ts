import { VENDOR_ACTIONS, type VendorActionName } from '@hubline/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newWorkspace, type TestWorkspace, startWorkspace, unique } from '../api/support/workspace.ts';
import {
  type ReceivedCall,
  type Receiver,
  type ReceiverResponse,
  startReceiver,
} from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';
import { slackApp } from '../ingest/tools/chat-tools.ts';
import { githubToken } from '../ingest/tools/code-hosts.ts';
import type { Tool } from '../ingest/tools/tool.ts';
import { jiraApiToken, linearApiKey, notionToken } from '../ingest/tools/trackers.ts';

/** An action, the call that it makes to the vendor, and the vendor's responses. */
interface Case {
  tool: Tool;
  input: Record<string, unknown>;
  /** The route of the action. `about`: a part of its body, if one route serves everything. */
  route: string;
  about?: string;
  response: ReceiverResponse;
  /** The part of the vendor's call that the inputs choose. */
  sent: object;
  output: object;
  /** The vendor's response that asks for a retry in 90 seconds. */
  limited: ReceiverResponse;
  /** The refusal of its credentials, in the words of the step. */
  refused: string;
}

const AFTER = { 'retry-after': '90' };
const PAGE = '337e31d64eb980fab299c93680d85322';
const issue = { number: 7, url: 'https://github.com/acme/web/issues/7' };
const comment = { number: 41, url: 'https://github.com/acme/web/issues/41#issuecomment-1' };

const CASES: Readonly<Record<VendorActionName, Case>> = {
  'github.create_issue': {
    tool: githubToken,
    input: {
      title: '{{ event.payload.title }}',
      body: '**Found** by {{ event.payload.by }}, @octo/ops',
      labels: ['bug', '{{ event.payload.area }}'],
    },
    route: 'POST /repos/acme/web/issues',
    response: { status: 201, body: { number: issue.number, html_url: issue.url } },
    sent: {
      title: 'Disk is full',
      body: expect.stringContaining('**Found** by @\u200Bada, @octo/ops'),
      labels: ['bug', 'storage'],
    },
    output: issue,
    limited: { status: 403, headers: AFTER, body: { message: 'You have exceeded a secondary rate limit.' } },
    refused: 'GitHub responded with 401: 401 No',
  },
  'github.comment': {
    tool: githubToken,
    input: {
      number: '{{ event.payload.number }}',
      body: '{{ event.payload.title }}, {{ event.payload.by }}',
    },
    route: 'POST /repos/acme/web/issues/41/comments',
    response: { status: 201, body: { id: 1, html_url: comment.url } },
    sent: { body: expect.stringContaining('Disk is full, @\u200Bada') },
    output: comment,
    limited: { status: 429, headers: AFTER, body: { message: 'API rate limit exceeded' } },
    refused: 'GitHub responded with 401: 401 No',
  },
  'linear.create_issue': {
    tool: linearApiKey,
    input: { team: 'ENG', title: '{{ event.payload.title }}', description: 'On {{ event.payload.area }}' },
    route: 'POST /graphql',
    about: 'issueCreate',
    response: {
      status: 200,
      body: {
        data: {
          issueCreate: {
            success: true,
            issue: { identifier: 'ENG-8', url: 'https://linear.app/acme/issue/ENG-8' },
          },
        },
      },
    },
    sent: { variables: { input: { teamId: 't1', title: 'Disk is full', description: 'On storage' } } },
    output: { identifier: 'ENG-8', url: 'https://linear.app/acme/issue/ENG-8' },
    limited: {
      status: 400,
      headers: AFTER,
      body: { errors: [{ message: 'Rate limit exceeded', extensions: { code: 'RATELIMITED' } }] },
    },
    refused: 'Linear refused: 401 No',
  },
  'jira.create_issue': {
    tool: jiraApiToken,
    input: { project: 'OPS', summary: '{{ event.payload.title }}', issue_type: 'Bug' },
    route: 'POST /rest/api/3/issue',
    response: { status: 201, body: { id: '10001', key: 'OPS-8', self: 'https://acme.atlassian.net/x' } },
    sent: { fields: { project: { key: 'OPS' }, issuetype: { name: 'Bug' }, summary: 'Disk is full' } },
    output: { key: 'OPS-8' },
    limited: { status: 429, headers: AFTER, body: { errorMessages: ['Rate limit exceeded.'] } },
    refused: 'Jira responded with 401: 401 No',
  },
  'slack.post_message': {
    tool: slackApp,
    // Links and mentions in the author's own text work; those in the text of strangers do not.
    input: {
      channel: '#{{ event.payload.area }}',
      text: '<https://wiki.example|{{ event.payload.title }}>: {{ event.payload.said }} <!here>',
    },
    route: 'POST /api/chat.postMessage',
    response: { status: 200, body: { ok: true, channel: 'C1', ts: '1.2' } },
    sent: {
      channel: '#storage',
      text: '<https://wiki.example|Disk is full>: &lt;!channel&gt; &amp; all <!here>',
    },
    output: { channel: 'C1', ts: '1.2' },
    limited: { status: 429, headers: AFTER, body: { ok: false, error: 'ratelimited' } },
    refused: 'Slack responded with invalid_auth',
  },
  'notion.append': {
    tool: notionToken,
    input: { page: `https://www.notion.so/acme/Log-${PAGE}`, text: '{{ event.payload.title }}' },
    route: `PATCH /v1/blocks/${PAGE}/children`,
    response: { status: 200, body: { object: 'list', results: [] } },
    sent: { children: [{ paragraph: { rich_text: [{ text: { content: 'Disk is full' } }] } }] },
    output: { page: PAGE },
    limited: {
      status: 429,
      headers: AFTER,
      body: { object: 'error', code: 'rate_limited', message: 'Slow' },
    },
    refused: 'Notion responded with 401: 401 No',
  },
};

const PAYLOAD = { said: '<!channel> & all', title: 'Disk is full', by: '@ada', area: 'storage', number: 41 };

let vendors: Receiver;
let root: TestWorkspace & { stop(): Promise<void> };
/** A workspace for one test, because a tool can be connected only once in a workspace. */
let workspace: TestWorkspace;
let current: Case;
/** Responds to the search for the result of a call whose response was lost. */
let finds: ((call: ReceivedCall) => ReceiverResponse | undefined) | undefined;
/** The vendor's responses to the next calls of the action. After these, it succeeds. */
let next: ReceiverResponse[] = [];
let ahead = 0;
const timers = new Set<() => void>();

beforeAll(async () => {
  vendors = await startReceiver(respond);
  root = await startWorkspace({
    clock: () => new Date(Date.now() + ahead),
    timer(run, ms) {
      // Short timers run by themselves; longer ones wait for `advance`.
      if (ms <= 1_000) {
        const timeout = setTimeout(run, ms);
        return () => clearTimeout(timeout);
      }
      timers.add(run);
      return () => void timers.delete(run);
    },
    env: {
      HUBLINE_GITHUB_API_URL: vendors.url,
      HUBLINE_LINEAR_API_URL: vendors.url,
      HUBLINE_JIRA_API_URL: vendors.url,
      HUBLINE_SLACK_API_URL: `${vendors.url}/api`,
      HUBLINE_NOTION_API_URL: vendors.url,
    },
  });
});
afterAll(async () => {
  await root.stop();
  await vendors.stop();
});
beforeEach(async () => {
  workspace = await newWorkspace(root);
  next = [];
  finds = undefined;
  vendors.calls.length = 0;
});

const isAction = ({ method, url, body }: ReceivedCall) =>
  `${method} ${url}` === current.route && body.includes(current.about ?? '');

/** Responds as the vendor: with `next` to calls of the action, and as usual to everything else. */
function respond(call: ReceivedCall): ReceiverResponse {
  if (isAction(call)) return next.shift() ?? current.response;
  const found = finds?.(call);
  if (found) return found;
  if (call.body.includes('teams('))
    return { status: 200, body: { data: { teams: { nodes: [{ id: 't1' }] } } } };
  return current.tool.api(call) ?? { status: 404, body: { message: 'Not Found' } };
}

/** Advances the clock, and runs every waiting timer. */
function advance(ms: number): void {
  ahead += ms;
  const due = [...timers];
  timers.clear();
  for (const run of due) run();
}

const here = () => ({ params: { id: workspace.workspaceId } });

/** Connects the tool, and publishes an event for an automation of two steps: the action, and an event with its output. */
async function start(type: VendorActionName): Promise<{ automationId: string; integrationId: string }> {
  current = CASES[type];
  const { provider, credentials } = current.tool;
  const { integration_id: integrationId } = await workspace.api.call('integrations.connect', {
    body: { provider, workspace_id: workspace.workspaceId, credentials },
  });
  const event = unique('alarm');
  const { id: automationId } = await workspace.api.call('automations.create', {
    ...here(),
    body: {
      name: 'A',
      trigger: { event: 'event.created', types: [event] },
      actions: [
        { id: 'tool', type, integration_id: integrationId, input: current.input },
        { type: 'create_event', event_type: `${event}.done`, payload: { of: '{{ steps.tool.output }}' } },
      ],
    },
  });
  await workspace.api.call('events.publish', { ...here(), body: { type: event, payload: PAYLOAD } });
  return { automationId, integrationId };
}

/** The run of an automation, once it is in that state. */
async function runThatIs(status: string, automationId: string) {
  const params = { id: workspace.workspaceId, automationId };
  const runId = await until(`a run that is ${status}`, async () => {
    const { data } = await workspace.api.call('automations.listRuns', { params });
    return data[0]?.status === status && data[0].id;
  });
  return workspace.api.call('automations.getRun', { params: { ...params, runId } });
}

async function expectDone(automationId: string, attempt: number): Promise<void> {
  const { steps } = await runThatIs('succeeded', automationId);
  const [step, event] = steps;
  expect(step).toMatchObject({ status: 'succeeded', attempt, response: current.output, error: null });
  const eventId = event?.response?.['event_id'] as string;
  const { payload } = await workspace.api.call('events.get', {
    params: { id: workspace.workspaceId, eventId },
  });
  expect(payload).toEqual({ of: current.output });
}

const calls = () => vendors.calls.filter(isAction);

const bodyOf = ({ headers, body }: ReceivedCall): unknown =>
  headers['content-type']?.includes('json')
    ? JSON.parse(body)
    : Object.fromEntries(new URLSearchParams(body));

describe.each(VENDOR_ACTIONS)('%s', (type) => {
  it('fills its inputs from the event, and the next step uses its output', async () => {
    const { automationId } = await start(type);
    await expectDone(automationId, 1);
    expect(calls().map(bodyOf)).toMatchObject([current.sent]);
  });

  it('waits for as long as the vendor asks, and then succeeds', async () => {
    next = [CASES[type].limited];
    const { automationId } = await start(type);
    const { resume_at: at, steps } = await runThatIs('waiting', automationId);
    const [step] = steps;
    expect(step).toMatchObject({ status: 'retrying', attempt: 1 });
    expect(Date.parse(at ?? '') - Date.parse(step?.started_at ?? '')).toBeGreaterThanOrEqual(90_000);
    advance(91_000);
    await expectDone(automationId, 2);
    expect(calls()).toHaveLength(2);
  });

  it('is attempted three times while the vendor fails, ends the run, and succeeds when the run is retried', async () => {
    next = Array.from({ length: 3 }, () => ({ status: 500, body: {} }));
    const { automationId, integrationId } = await start(type);
    for (const delay of [5_000, 25_000]) {
      const { steps } = await runThatIs('waiting', automationId);
      expect(steps[0]).toMatchObject({
        status: 'retrying',
        error: expect.stringContaining('responded with 500'),
      });
      const tried = calls().length;
      advance(delay + 1_000);
      await until('the next attempt', () => calls().length > tried);
    }
    const { id: runId, error } = await runThatIs('failed', automationId);
    expect(error).toContain('responded with 500');
    expect(calls()).toHaveLength(3);
    const integration = await workspace.api.call('integrations.get', { params: { integrationId } });
    expect(integration.status).toBe('connected');

    await workspace.api.call('automations.retryRun', {
      params: { id: workspace.workspaceId, automationId, runId },
    });
    // The number of attempts starts over.
    await expectDone(automationId, 1);
  });

  it('ends the run at once when the vendor refuses the credentials, and the integration says so', async () => {
    const { response: no, code } = CASES[type].tool.refusals[401];
    next = [no];
    const { automationId, integrationId } = await start(type);
    const { error, steps } = await runThatIs('failed', automationId);
    expect(error).toContain(`tool: ${current.refused}`);
    expect(steps.map(({ status, attempt }) => [status, attempt])).toEqual([['failed', 1]]);
    expect(calls()).toHaveLength(1);
    const integration = await workspace.api.call('integrations.get', { params: { integrationId } });
    expect(integration).toMatchObject({ status: 'error', status_detail: { code } });
  });
});

it('an automation with an input of the wrong type is refused, with the path of the input', async () => {
  current = CASES['github.comment'];
  const { integration_id } = await workspace.api.call('integrations.connect', {
    body: { provider: 'github', workspace_id: workspace.workspaceId, credentials: current.tool.credentials },
  });
  const saved = (type: VendorActionName, input: object) => ({
    ...here(),
    body: {
      name: 'A',
      trigger: { event: 'manual' },
      actions: [{ type, integration_id, input }],
    },
  });
  for (const [type, field, input] of [
    ['github.comment', 'number', { number: 'the first', body: 'x' }],
    ['github.comment', 'body', { number: 1, body: ['x'] }],
    ['github.create_issue', 'title', { title: ['x'] }],
    ['github.create_issue', 'labels', { title: 'x', labels: [1] }],
  ] as const) {
    const { details } = await workspace.api.refused('automations.create', 400, saved(type, input));
    expect(details).toEqual([expect.objectContaining({ field: `actions[0].input.${field}` })]);
  }
  const made = await workspace.api.call(
    'automations.create',
    saved('github.comment', { number: 41, body: 'x' }),
  );
  expect(made.actions).toMatchObject([{ input: { number: 41, body: 'x' } }]);
});

/** The responses of vendors to a search for the result of a call. */
const FINDERS: Partial<
  Record<VendorActionName, (made: ReceivedCall, call: ReceivedCall) => object | undefined>
> = {
  'github.create_issue': ({ body }, { method, url }) =>
    method === 'GET' && url.startsWith('/repos/acme/web/issues?')
      ? [
          { number: 40, body: 'another' },
          { ...JSON.parse(body), number: issue.number, html_url: issue.url },
        ]
      : undefined,
  'github.comment': ({ body }, { method, url }) =>
    method === 'GET' && url.startsWith('/repos/acme/web/issues/41/comments?')
      ? [{ body: 'another' }, { ...JSON.parse(body), html_url: comment.url }]
      : undefined,
  'linear.create_issue'({ body }, call) {
    const { id } = (JSON.parse(body) as { variables: { input: { id: string } } }).variables.input;
    const asksForIt = call.body.includes('issue(id:') && call.body.includes(`"id":"${id}"`);
    return asksForIt ? { data: { issue: CASES['linear.create_issue'].output } } : undefined;
  },
  'jira.create_issue'({ body }, { url }) {
    const [, mark = 'none'] = /Sent by Hubline: ([\da-f]+)/.exec(body) ?? [];
    const { searchParams, pathname } = new URL(url, 'http://jira');
    const asksForIt = searchParams.get('jql')?.includes(`description ~ "${mark}"`);
    return pathname === '/rest/api/3/search/jql' && asksForIt ? { issues: [{ key: 'OPS-8' }] } : undefined;
  },
};

it.each(Object.entries(FINDERS) as [VendorActionName, NonNullable<(typeof FINDERS)[VendorActionName]>][])(
  '%s is not done again when only the response was lost',
  async (type, finder) => {
    next = [{ status: 502, body: {} }];
    finds = (call) => {
      const [made] = calls();
      const body = made && finder(made, call);
      return body && { status: 200, body };
    };
    const { automationId } = await start(type);
    await runThatIs('waiting', automationId);
    advance(6_000);
    await expectDone(automationId, 2);
    expect(calls()).toHaveLength(1);
  },
);

it('what a failed run has done is found when it is retried', async () => {
  next = Array.from({ length: 3 }, () => ({ status: 502, body: {} }));
  const { automationId } = await start('github.create_issue');
  for (const tried of [1, 2]) {
    await runThatIs('waiting', automationId);
    advance(26_000);
    await until('the next attempt', () => calls().length > tried);
  }
  const { id: runId } = await runThatIs('failed', automationId);
  finds = (call) => {
    const made = calls().at(-1);
    const body = made && FINDERS['github.create_issue']?.(made, call);
    return body && { status: 200, body };
  };
  const params = { id: workspace.workspaceId, automationId, runId };
  await workspace.api.call('automations.retryRun', { params });
  await expectDone(automationId, 1);
  expect(calls()).toHaveLength(3);
});
