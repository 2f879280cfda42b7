const RESOURCES = [
  'workspaces',
  'members',
  'integrations',
  'events',
  'webhooks',
  'automations',
  'notifications',
  'api_keys',
  'audit_log',
] as const;

/** One right of an API key: a resource and what may be done with it. */
export type Scope = `${(typeof RESOURCES)[number]}:${'read' | 'write'}`;

/** Every scope, without `*`. */
export const SCOPES: readonly Scope[] = RESOURCES.flatMap(
  (resource) => [`${resource}:read`, `${resource}:write`] as const,
);

/** A scope that a key is granted; `*` is all of them. */
export type GrantedScope = Scope | '*';

/** Reports whether the granted scopes include `needed`. `write` does not imply `read`: a key says exactly what it may do. */
export function scopesAllow(granted: readonly string[], needed: Scope): boolean {
  return granted.includes('*') || granted.includes(needed);
}

/** Reports whether every scope in `wanted` is covered by `granted`: a key never creates a key with more rights than its own. */
export function scopesCover(granted: readonly string[], wanted: readonly string[]): boolean {
  return granted.includes('*') || wanted.every((scope) => granted.includes(scope));
}
