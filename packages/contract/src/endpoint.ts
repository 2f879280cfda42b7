import type { z } from 'zod';
import type { Permission } from './roles.ts';
import type { Scope } from './scopes.ts';

/**
 * Where a request names its workspace: a path parameter, a field of the body or query, or a resource in the path that
 * belongs to one. The rate limit, the permission check and 404 across workspaces all follow from it.
 */
export type WorkspaceSource =
  | { in: 'path'; name: 'id' | 'workspace_id' }
  | { in: 'body' }
  | { in: 'query' }
  | { in: 'resource'; kind: 'integration' | 'webhook' | 'delivery' | 'recovery'; name: string };

/** Who may call an endpoint. */
export type AccessRule =
  /** Anybody: the request carries its own proof, such as a provider's signature or an invitation token. */
  | { kind: 'public' }
  /** Any valid key; `scope` is what it needs, `null` for nothing. `personal`: a key bound to a workspace is refused. */
  | { kind: 'user'; scope: Scope | null; personal?: true }
  /** A key that has `scope`, of a member whose role has `permission` in the workspace. */
  | { kind: 'workspace'; from: WorkspaceSource; permission: Permission; scope: Scope };

/** One row of the endpoints table. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the base URL, with `{name}` for parameters. */
  path: `/${string}`;
  /** One sentence for people. */
  summary: string;
  access: AccessRule;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** A JSON body. Absent: the endpoint takes none. */
  body?: z.ZodType;
  /** The JSON response. Absent: an empty one. */
  response?: z.ZodType;
  /** The status of success. */
  status: 200 | 201 | 202 | 204;
  /** A write: `Idempotency-Key` applies. */
  write: boolean;
  /** The response shows a secret once: it is never stored in clear. */
  secret?: true;
  /** The endpoint whose older or alternative form this is. */
  variantOf?: string;
  /** Not plain JSON in and out: the raw body of a provider hook, a stream of events, or a list that can also be CSV. */
  special?: 'ingest' | 'event-stream' | 'csv';
}
