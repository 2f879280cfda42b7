import type { WorkspaceSource } from '../endpoint.ts';
import type { Permission } from '../constants/roles.ts';
import type { Scope } from '../constants/scopes.ts';

/** Admits keys that have the scope and belong to members with the permission. */
export const inWorkspace = (from: WorkspaceSource, permission: Permission, scope: Scope) =>
  ({ kind: 'workspace', from, permission, scope }) as const;

/** The places where requests name their workspace. */
export const from = {
  path: { in: 'path', name: 'id' },
  body: { in: 'body' },
  query: { in: 'query' },
  integration: { in: 'resource', kind: 'integration', name: 'integrationId' },
  webhook: { in: 'resource', kind: 'webhook', name: 'webhookId' },
  delivery: { in: 'resource', kind: 'delivery', name: 'deliveryId' },
  recovery: { in: 'resource', kind: 'recovery', name: 'recoveryId' },
} as const satisfies Record<string, WorkspaceSource>;

/** Responses that show values of a stored event need the scope that reads events, whatever resource they belong to. */
export const READS_EVENT = { scope: 'events:read' } as const;
export const READS_EVENT_UNLESS_SUPPLIED = { scope: 'events:read', lacking: 'event' } as const;
