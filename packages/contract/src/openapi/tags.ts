import type { EndpointName } from '../endpoints/index.ts';

type Resource = EndpointName extends `${infer Name}.${string}` ? Name : never;

/** Tags group operations by the resource in the name of their endpoint. */
export const TAGS = {
  me: { name: 'Me', description: 'The calling user and key, and the workspaces that they can reach.' },
  personalApiKeys: {
    name: 'Personal API keys',
    description: 'Keys that act in every workspace where their user may manage keys.',
  },
  workspaces: {
    name: 'Workspaces',
    description: 'The top-level container of a team, with its members, integrations and events.',
  },
  members: {
    name: 'Members',
    description: 'The people of a workspace, one role each, and those who are invited.',
  },
  invitations: { name: 'Invitations', description: 'Invitations, for the person who was invited.' },
  apiKeys: { name: 'API keys', description: 'Keys for one workspace, limited by scopes and a role.' },
  integrations: {
    name: 'Integrations',
    description: 'Connected tools, such as GitHub, and the tools that can be connected.',
  },
  providers: {
    name: 'Providers',
    description: 'Tools that a workspace defines itself, and presets of well-known ones.',
  },
  oauth: {
    name: 'OAuth',
    description:
      'Flows in which a person connects a tool in the browser, through an app that the workspace has created at the provider.',
  },
  ingest: {
    name: 'Ingest',
    description:
      'The URLs that connected tools call. The calls carry their own proof; no API key is involved.',
  },
  events: {
    name: 'Events',
    description: 'Things that happened in the connected tools, and those that programs publish.',
  },
  webhooks: {
    name: 'Webhooks',
    description:
      'HTTPS URLs that receive signed calls. The calls are described under `webhooks`, as "Webhook calls".',
  },
  deliveries: { name: 'Deliveries', description: 'One event on its way to one webhook, with its attempts.' },
  recoveries: { name: 'Recoveries', description: 'Jobs that send many deliveries again.' },
  automations: {
    name: 'Automations',
    description: 'Triggers with conditions and the actions that follow, and their runs.',
  },
  notificationRules: {
    name: 'Notification rules',
    description: 'Rules about who is notified of what, when and where, and the log of their messages.',
  },
  notificationTemplates: {
    name: 'Notification templates',
    description:
      'Texts of notifications, in Liquid, in a form for each channel. Every change creates a version.',
  },
  notifications: {
    name: 'Notifications',
    description: 'The in-app notifications of the calling user.',
  },
  auditLog: { name: 'Audit log', description: 'Every change in a workspace, with its actor and origin.' },
} as const satisfies Record<Resource, { name: string; description: string }>;

/**
 * The tag of the calls that Hubline makes. Generators write one class for a tag: under the tag of the endpoints, the class of these calls
 * replaced the one that manages webhooks.
 */
export const CALLS_TAG = {
  name: 'Webhook calls',
  description: 'The calls that Hubline makes to webhooks. A receiver gets them; a client never sends them.',
};

/** The tag of an endpoint. */
export function tagOf(name: EndpointName): string {
  const [resource] = name.split('.') as [Resource];
  return TAGS[resource].name;
}
