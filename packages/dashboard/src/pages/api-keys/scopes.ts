import type { Scope } from '@hubline/sdk';
import type { IconName } from '../../components/icons/icon.tsx';

type ResourceOf<Name> = Name extends `${infer Resource}:${string}` ? Resource : never;
type Resource = ResourceOf<Scope>;

/** The resources of scopes, with their labels. */
export const RESOURCES: Readonly<Record<Resource, readonly [icon: IconName, label: string, words: string]>> =
  {
    events: ['events', 'Events', 'view and publish'],
    webhooks: ['webhooks', 'Webhooks and deliveries', 'view, change and retry'],
    integrations: ['integrations', 'Integrations', 'view, connect and disconnect'],
    automations: ['automation', 'Automations', 'view, edit and run'],
    notifications: ['bell', 'Notification rules', 'view and edit'],
    members: ['members', 'Members', 'view, invite and remove'],
    api_keys: ['key', 'API keys', 'view their names, create and revoke'],
    audit_log: ['audit', 'Audit log', 'view and export'],
    workspaces: ['settings', 'Workspace', 'view and change its name and plan'],
  };

/** The rights that a key can have on a resource. No key can write to the audit log. */
export const rightsOf = (resource: string) => ({
  none: 'None',
  read: 'Read',
  ...(resource !== 'audit_log' && { write: 'Write', both: 'Both' }),
});

/** The scopes of a right. */
export const scopesOf = (resource: string, right: string): readonly string[] =>
  ['read', 'write']
    .filter((each) => (right === each || right === 'both') && each in rightsOf(resource))
    .map((each) => `${resource}:${each}`);

/** Every single scope. */
export const allScopes = (Object.keys(RESOURCES) as Resource[]).flatMap((resource) =>
  scopesOf(resource, 'both'),
);

/** The chosen scopes for the API, which refuses a name that it does not know. */
export const asScopes = (names: readonly string[]) => names as Scope[];

/** `Everything`, `events:read`, or `events:read and 3 more`. */
export function scopesText(scopes: readonly string[]): string {
  const [first = 'Nothing', ...rest] = scopes;
  if (first === '*') return 'Everything';
  return rest.length === 0 ? first : `${first} and ${rest.length} more`;
}
