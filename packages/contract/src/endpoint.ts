import type { z } from 'zod';
import type { Deprecation } from './deprecation.ts';
import type { ErrorCode } from './constants/errors.ts';
import type { Permission } from './constants/roles.ts';
import type { Scope } from './constants/scopes.ts';

/**
 * The place where a request names its workspace: a path parameter, a field of the body or query, or a resource in the
 * path that belongs to one. The rate limit and the permission check apply to this workspace; a resource of any other
 * workspace gets 404.
 */
export type WorkspaceSource =
  | { in: 'path'; name: 'id' | 'workspace_id' }
  | { in: 'body' }
  | { in: 'query' }
  | { in: 'resource'; kind: 'integration' | 'webhook' | 'delivery' | 'recovery'; name: string };

/** A second scope that a key needs: for every request, or if the body has the field `having`, or lacks the field `lacking`. */
export interface FurtherScope {
  scope: Scope;
  having?: string;
  lacking?: string;
}

/** The callers that an endpoint admits. */
export type AccessRule =
  /** Anybody: the request carries its own proof, such as a provider's signature or an invitation token. */
  | { kind: 'public' }
  /**
   * Anybody who sends a proof in the body field that `proof` names. A key or session may come with it: it needs `scope`,
   * and counts only if it belongs to the user whom the proof is for.
   */
  | { kind: 'optional'; proof: 'token'; scope: Scope }
  /** Any valid key that has `scope`; `null` needs no scope. `personal`: a key bound to a workspace is refused. */
  | { kind: 'user'; scope: Scope | null; personal?: true }
  /** A key that has `scope`, and `also` where it applies, of a member whose role has `permission` in the workspace. */
  | {
      kind: 'workspace';
      from: WorkspaceSource;
      permission: Permission;
      scope: Scope;
      also?: FurtherScope;
    };

/** Reports whether a request needs the further scope; without a `body`, whether every request does. */
export function needsFurther({ having, lacking }: FurtherScope, body?: object): boolean {
  if (having === undefined && lacking === undefined) return true;
  if (!body) return false;
  const has = (field: string) => (body as Record<string, unknown>)[field] !== undefined;
  return having === undefined ? !has(lacking ?? '') : has(having);
}

/** One row of the endpoints table. */
export interface Endpoint {
  /** The `operationId` of the OpenAPI document: a verb and a noun, which generators use as a function name. Unique. */
  operationId: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below the base URL, with `{name}` for parameters. */
  path: `/${string}`;
  /** One short sentence about what the endpoint does. */
  summary: string;
  /**
   * Details that the summary leaves open. Access, paging, idempotency and one-time secrets follow from the row and are not
   * repeated.
   */
  description: string;
  /** The endpoint's own reasons to refuse. Refusals that other parts of the row imply are not repeated. */
  errors?: Partial<Record<ErrorCode, string>>;
  access: AccessRule;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** The JSON body. Absent: the endpoint takes none. */
  body?: z.ZodType;
  /** Bodies in the format of another tool, by content type. */
  bodies?: Readonly<Record<string, z.ZodType>>;
  /** The response. Absent: an empty one. */
  response?: z.ZodType;
  /** The status of success. */
  status: 200 | 201 | 202 | 204;
  /** A second status of success with the same form of response, and when it is sent. */
  alternative?: { status: 200; when: string };
  /** A write: `Idempotency-Key` applies. */
  write: boolean;
  /**
   * The response shows a secret, so it is stored encrypted for an `Idempotency-Key`. `once`: no later request shows the
   * secret again. `always`: reads show it, too, such as a token in a URL.
   */
  secret?: 'once' | 'always';
  /** The deprecation of the endpoint: responses say so in headers, the document marks it, and the SDK logs it once. */
  deprecated?: Deprecation;
  /** The endpoint that this one is an older or alternative form of. */
  variantOf?: string;
  /** A format other than JSON: the raw body of a provider hook, a stream of events, or a list that can also be CSV. */
  special?: 'ingest' | 'event-stream' | 'csv';
}
