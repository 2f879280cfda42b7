import type { Scope } from '@hubline/sdk';

type ResourceOf<Name> = Name extends `${infer Resource}:${string}` ? Resource : never;

/** The resources of scopes that the server has something of: a label, and which of the two rights there are. */
const RESOURCES: Readonly<
  Record<
    Exclude<ResourceOf<Scope>, 'automations' | 'notifications'>,
    readonly [label: string, ...rights: ('read' | 'write')[]]
  >
> = {
  events: ['Events', 'read', 'write'],
  webhooks: ['Webhooks and deliveries', 'read', 'write'],
  integrations: ['Integrations', 'read', 'write'],
  members: ['Members', 'read', 'write'],
  workspaces: ['Workspaces', 'read', 'write'],
  api_keys: ['API keys', 'read', 'write'],
  audit_log: ['Audit log', 'read'],
};

/** The rows of the form: a resource, and its scopes for reading and writing. */
export const scopeRows = Object.entries(RESOURCES).map(([resource, [label, ...rights]]) => ({
  label,
  read: rights.includes('read') ? `${resource}:read` : undefined,
  write: rights.includes('write') ? `${resource}:write` : undefined,
}));

/** The chosen scopes, as the API takes them: it says what is wrong with a name that it does not know. */
export const asScopes = (names: readonly string[]) => names as Scope[];

/** `everything`, `events:read`, or `events:read and 3 more`. */
export function scopesText(scopes: readonly string[]): string {
  const [first = 'nothing', ...rest] = scopes;
  if (first === '*') return 'everything';
  return rest.length === 0 ? first : `${first} and ${rest.length} more`;
}
