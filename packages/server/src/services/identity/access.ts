import {
  type AccessRule,
  isId,
  needsFurther,
  outranks,
  type Permission,
  PERMISSIONS,
  type Role,
  roleAllows,
  ROLES,
  type Scope,
  scopesAllow,
  scopesCover,
  type WorkspaceSource,
} from '@hubline/contract';
import type { Deps } from '../../context.ts';
import { type Awaitable, andThen } from '../../db/core/awaitable.ts';
import { findRole } from '../../db/identity/members.ts';
import type { Db } from '../../db/core/schema.ts';
import { findWorkspaceOf } from '../../db/workspaces/workspace-of.ts';
import { type Access, actingRole, type Actor, type Credential, endOf } from '../../domain/identity/actor.ts';
import { Fault, invalid, notFound, unprocessable } from '../../domain/faults/fault.ts';

/** The parts of a request that can name its workspace; the body unvalidated. */
export interface AccessHints {
  params: Readonly<Record<string, string>>;
  /** The value of `workspace_id` in the query. */
  queried: () => unknown;
  body: unknown;
}

/**
 * The workspace of a request and the caller's role in it; `null` if the rule needs no workspace. A workspace that does
 * not exist and one that the caller is not in get the same `not_found`; a field that is missing or not a string gets
 * `invalid_request`.
 */
export function resolveAccess(
  deps: Pick<Deps, 'store'>,
  { rule, actor }: { rule: AccessRule; actor: Actor | null },
  hints: () => AccessHints,
): Awaitable<Access | null> {
  const from = sourceOf(rule, hints);
  if (!actor || from === null) return null;
  const noun = from.in === 'resource' ? from.kind : 'workspace';
  const field = from.in === 'body' || from.in === 'query' ? 'workspace_id' : undefined;
  const { read } = deps.store;
  return andThen(locate(read, { actor, from }, hints()), (workspaceId) => {
    const bound = actor.credential.workspaceId;
    if (workspaceId === undefined || (bound !== null && bound !== workspaceId)) throw notFound(noun, field);
    return andThen(findAccess(read, actor, workspaceId), (access) => {
      if (access === undefined) throw notFound(noun, field);
      return access;
    });
  });
}

/** The place where a request names its workspace; `null` if it names none. A list of all workspaces may be filtered by one. */
function sourceOf(rule: AccessRule, hints: () => AccessHints): WorkspaceSource | null {
  if (rule.kind === 'workspace') return rule.from;
  return rule.kind === 'user' && hints().queried() !== undefined ? { in: 'query' } : null;
}

/** The access to one workspace as `db` sees it now; `undefined` if the user is not in the workspace. */
export function findAccess(
  db: Db,
  { userId, credential }: Actor,
  workspaceId: string,
): Awaitable<Access | undefined> {
  return andThen(findRole(db, workspaceId, userId), (role) => {
    if (role === undefined) return undefined;
    if (actsWith(credential, role)) return { workspaceId, role: actingRole(credential, role) };
    throw new Fault(
      'forbidden',
      `A personal key acts only where its user may manage keys; your role is ${role}.`,
    );
  });
}

/**
 * Reports whether a credential may act with this role. A personal key acts only where its user may manage keys; a
 * session acts with any role.
 */
export function actsWith({ kind, workspaceId }: Credential, role: Role): boolean {
  return kind === 'session' || workspaceId !== null || roleAllows(role, 'manage_api_keys');
}

function locate(
  db: Db,
  { actor, from }: { actor: Actor; from: WorkspaceSource },
  { params, queried, body }: AccessHints,
): Awaitable<string | undefined> {
  switch (from.in) {
    case 'path': {
      const id = params[from.name] ?? '';
      return isId('workspace', id) ? id : undefined;
    }
    case 'resource': {
      const id = params[from.name] ?? '';
      return isId(from.kind, id) ? findWorkspaceOf(db, from.kind, id) : undefined;
    }
    case 'query': {
      const id = queried() ?? actor.credential.workspaceId;
      if (typeof id !== 'string') throw invalid('workspace_id', 'is required, except with a workspace key');
      return isId('workspace', id) ? id : undefined;
    }
    case 'body': {
      const id =
        typeof body === 'object' && body !== null
          ? (body as { workspace_id?: unknown }).workspace_id
          : undefined;
      if (typeof id !== 'string')
        throw invalid('workspace_id', 'is required in the body and must be the ID of a workspace, ws_…');
      return isId('workspace', id) ? id : undefined;
    }
  }
}

/**
 * Throws `forbidden` unless the key has the scope and, in a workspace, the caller's role the permission. If the caller
 * is optional, the service decides.
 */
export function authorize(rule: AccessRule, actor: Actor | null, access: Access | null): void {
  if (!actor || rule.kind === 'public' || rule.kind === 'optional') return;
  if (rule.kind === 'user' && rule.personal && actor.credential.workspaceId !== null) {
    throw new Fault(
      'forbidden',
      'This needs a personal key; the key of the request is bound to a workspace.',
    );
  }
  if (rule.scope !== null) requireScope(actor, rule.scope);
  authorizeFurther(rule, actor);
  if (rule.kind === 'workspace' && access) requirePermission(access, rule.permission);
}

/**
 * Throws `forbidden` unless the key has the further scope that a request with this body needs. Without a body, checks
 * the scope that every request needs.
 */
export function authorizeFurther(rule: AccessRule, actor: Actor | null, body?: object): void {
  if (!actor || rule.kind !== 'workspace' || !rule.also || !needsFurther(rule.also, body)) return;
  const { scope, having, lacking } = rule.also;
  if (having !== undefined) requireScope(actor, scope, `for a request with ${having}`);
  else if (lacking !== undefined) requireScope(actor, scope, `for a request without ${lacking}`);
  else requireScope(actor, scope);
}

/** Reports whether the key has the scope. */
export const hasScope = ({ credential }: Actor, scope: Scope): boolean =>
  scopesAllow(credential.scopes, scope);

/** Reports whether the caller's role has the permission. */
export const hasPermission = ({ role }: Access, permission: Permission): boolean =>
  roleAllows(role, permission);

/** Throws `forbidden` unless the key has the scope. `need`: the part of the request that needs it, if not the whole request does. */
export function requireScope(actor: Actor, scope: Scope, need?: string): void {
  if (hasScope(actor, scope)) return;
  const lacks = `lacks the scope ${scope}${need === undefined ? '' : ` ${need}`}`;
  throw new Fault('forbidden', `The API key ${lacks}; it has ${actor.credential.scopes.join(', ')}.`);
}

/**
 * Throws `forbidden` unless the caller's role has the permission. `field`: the field of the body that needs it, if not the whole request
 * does.
 */
export function requirePermission(access: Access, permission: Permission, field?: string): void {
  if (hasPermission(access, permission)) return;
  const rule = `needs the role ${PERMISSIONS[permission].join(' or ')}; you act as ${access.role}`;
  if (field === undefined) throw new Fault('forbidden', `This ${rule}.`);
  throw new Fault('forbidden', `${field} ${rule}.`, { details: [{ field, issue: rule }] });
}

/** The role of this name; an unknown one is 422. */
export function existingRole(name: string): Role {
  const role = ROLES.find((known) => known === name);
  if (role === undefined) throw unprocessable('role', `must be one of ${ROLES.join(', ')}`);
  return role;
}

/** Throws `forbidden` for a role above the caller's own. `message`: the sentence that says so. */
export function requireNotAbove({ role: own }: Access, role: Role, message?: string): void {
  if (!outranks(role, own)) return;
  const issue = `must not be above your own, ${own}`;
  throw new Fault('forbidden', message ?? `role ${issue}.`, { details: [{ field: 'role', issue }] });
}

/** Throws `forbidden` for scopes that the calling key does not have. */
export function requireCovered({ credential }: Actor, wanted: readonly string[]): void {
  if (scopesCover(credential.scopes, wanted)) return;
  const issue = `must not exceed those of the calling key: ${credential.scopes.join(', ')}`;
  throw new Fault('forbidden', `scopes ${issue}.`, { details: [{ field: 'scopes', issue }] });
}

/** Throws `forbidden` for an expiry after that of the calling key: what a key makes must not outlast it. */
export function requireNotLonger({ credential }: Actor, wanted: string | null): void {
  const own = endOf(credential);
  if (own === null || (wanted !== null && wanted <= own)) return;
  const issue = `must not be after the calling key stops working, ${own}; use the dashboard, or a key that lasts longer`;
  throw new Fault('forbidden', `expires_at ${issue}.`, { details: [{ field: 'expires_at', issue }] });
}
