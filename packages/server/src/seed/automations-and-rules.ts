import type { Deps } from '../context.ts';
import { call, type SeedCaller } from './caller.ts';
import { DOMAIN } from './cast.ts';
import type { Connected } from './incoming.ts';
import { UNKNOWN_CHANNEL } from './tool-apis.ts';
import type { VirtualClock } from './virtual-clock.ts';

const MINUTE_MS = 60_000;

interface Maker {
  caller: SeedCaller;
  connected: Connected;
}

/** The automations of the workspace; the last one fails. */
export async function addAutomations(
  deps: Deps,
  clock: VirtualClock,
  { caller, connected }: Maker,
): Promise<void> {
  const make = async (body: object) => {
    clock.pass(75 * MINUTE_MS);
    const params = { id: caller.access.workspaceId };
    await call(deps, caller, { name: 'automations.create', params, body });
  };
  await make({
    name: 'Page on-call when a deploy fails',
    description: 'Posts to #on-call and opens an incident on the status page.',
    trigger: { event: 'event.created', types: ['deploy.failed'], integration_ids: [connected.custom] },
    actions: [
      {
        id: 'page',
        type: 'slack.post_message',
        integration_id: connected.slack,
        input: { channel: '#on-call', text: ':rotating_light: {{ event.summary.text }}' },
      },
      {
        id: 'incident',
        type: 'call_webhook',
        url: `https://status.${DOMAIN}/api/incidents`,
        payload: { title: '{{ event.summary.text }}', region: '{{ event.payload.region }}' },
      },
    ],
    throttle: { max_runs: 10, per_seconds: 600 },
  });
  await make({
    name: 'Announce merged pull requests',
    description: 'One line for each merge, in #deploys.',
    trigger: { event: 'event.created', types: ['pull_request'], sources: ['github'] },
    conditions: {
      all: [
        { field: 'event.payload.action', op: 'eq', value: 'closed' },
        { field: 'event.payload.pull_request.merged', op: 'eq', value: true },
      ],
    },
    actions: [
      {
        id: 'announce',
        type: 'slack.post_message',
        integration_id: connected.slack,
        input: {
          channel: '#deploys',
          text: 'Merged: {{ event.payload.pull_request.title }} ({{ event.summary.actor.name }})',
        },
      },
    ],
  });
  await make({
    name: 'Tell the EU team of critical alerts',
    description: null,
    trigger: { event: 'event.created', types: ['dependabot_alert'] },
    actions: [
      {
        id: 'tell',
        type: 'slack.post_message',
        integration_id: connected.slack,
        input: { channel: UNKNOWN_CHANNEL, text: '{{ event.summary.subject.name }}' },
      },
    ],
  });
}

/** The notification rules of the workspace, and the template of one. */
export async function addNotificationRules(
  deps: Deps,
  clock: VirtualClock,
  { caller, connected }: Maker,
): Promise<void> {
  const params = { id: caller.access.workspaceId };
  const template = await call(deps, caller, {
    name: 'notificationTemplates.create',
    params,
    body: {
      name: 'Failed deploy',
      subject: 'Rolled back: {{ event.summary.container.name }}',
      body: {
        text: '{{ event.summary.text }}\nBy {{ event.summary.actor.name }}, {{ event.payload.version }}',
        markdown:
          '**{{ event.summary.text }}**\nBy {{ event.summary.actor.name }}, `{{ event.payload.version }}`',
      },
      sample_event_type: 'deploy.failed',
    },
  });
  clock.pass(12 * MINUTE_MS);
  await call(deps, caller, {
    name: 'notificationRules.create',
    params,
    body: {
      name: 'Failed deploys',
      notify_on: ['event.created'],
      types: ['deploy.failed'],
      template_id: template.id,
      destinations: [
        { kind: 'in_app', roles: ['owner', 'admin', 'member'] },
        { kind: 'integration', integration_id: connected.slack, channel: '#on-call' },
      ],
      dedupe: { key: '{{ event.summary.container.name }}', window_seconds: 300 },
    },
  });
  clock.pass(9 * MINUTE_MS);
  await call(deps, caller, {
    name: 'notificationRules.create',
    params,
    body: {
      name: 'Security alerts',
      notify_on: ['event.created'],
      types: ['dependabot_alert'],
      filters: { severity: ['critical', 'high'] },
      destinations: [{ kind: 'in_app', roles: ['owner', 'admin'] }],
    },
  });
}
