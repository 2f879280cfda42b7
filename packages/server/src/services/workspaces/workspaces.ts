import type { EndpointInput } from '@hubline/contract';
import type { UserContext, WorkspaceContext } from '../../context.ts';
import { listHookedIntegrations } from '../../db/integrations/integrations.ts';
import { insertMember, listActiveUserIds } from '../../db/identity/members.ts';
import type { Tx } from '../../db/core/schema.ts';
import { dialectOf } from '../../db/dialect-of.ts';
import {
  findWorkspace,
  insertWorkspace,
  listWorkspaces,
  updateWorkspace,
  type WorkspaceRow,
} from '../../db/workspaces/workspaces.ts';
import { closeWorkspace } from '../../db/workspaces/remove-workspace.ts';
import { Fault, notFound } from '../../domain/faults/fault.ts';
import { enqueue } from '../../jobs/enqueue.ts';
import { requirePermission } from '../identity/access.ts';
import { audit, differences } from '../audit-log.ts';
import { enqueueHookRemoval } from '../integrations/hooks/remove-hook-job.ts';
import { requireCurrent, requireLiveAccess } from '../identity/live-credential.ts';
import { visibleMemberships } from '../identity/me.ts';
import { page } from '../page.ts';
import { removeWorkspaceJob } from './remove-workspace-job.ts';

/** The parts of a new workspace. */
export interface NewWorkspace {
  name: string;
  slug: string;
  plan: WorkspaceRow['plan'];
}

function slugTaken(tx: Tx, error: unknown): unknown {
  if (!dialectOf(tx).isUniqueViolation(error, 'workspaces.slug')) return error;
  // Does not name the other workspace: the caller must not learn about it.
  return new Fault('conflict', 'slug is taken. Choose another one.', {
    details: [{ field: 'slug', issue: 'is taken; choose another one' }],
  });
}

/** Inserts a workspace and its first owner. */
export async function insertOwnedWorkspace(
  tx: Tx,
  context: Pick<UserContext, 'ids' | 'now'>,
  { userId, ...workspace }: NewWorkspace & { userId: string },
): Promise<WorkspaceRow> {
  const now = context.now.toISOString();
  const row: WorkspaceRow = { id: context.ids('workspace'), ...workspace, created_at: now, updated_at: now };
  try {
    await insertWorkspace(tx, row);
  } catch (error) {
    throw slugTaken(tx, error);
  }
  await insertMember(tx, {
    workspace_id: row.id,
    user_id: userId,
    role: 'owner',
    status: 'active',
    invited_at: null,
    joined_at: now,
    updated_at: now,
  });
  return row;
}

export async function list(context: UserContext, { query }: EndpointInput<'workspaces.list'>) {
  const memberships = await visibleMemberships(context);
  const ids = memberships.map((membership) => membership.workspace_id);
  return page(context, query, {
    rows: (request) => listWorkspaces(context.store.read, ids, request),
    position: (row) => row.id,
    item: (row) => row,
  });
}

export async function create(context: UserContext, { body }: EndpointInput<'workspaces.create'>) {
  return context.write(async (tx) => {
    const row = await insertOwnedWorkspace(tx, context, { ...body, userId: context.actor.userId });
    await audit(tx, context, {
      workspaceId: row.id,
      action: 'workspace.created',
      target: { type: 'workspace', id: row.id, name: row.name },
    });
    context.afterCommit('recheck the streams of a user', () => context.announce(context.actor.userId));
    return row;
  });
}

export async function get(context: WorkspaceContext) {
  return found(await findWorkspace(context.store.read, context.access.workspaceId));
}

export async function update(context: WorkspaceContext, { body }: EndpointInput<'workspaces.update'>) {
  return context.write(async (tx) => {
    // Locks the workspace, too: two changes at the same time must not start from the same state.
    const access = await requireCurrent(tx, context, 'manage_workspace');
    if (body.plan !== undefined) requirePermission(access, 'manage_billing', 'plan');
    const before = found(await findWorkspace(tx, context.access.workspaceId));
    const changes = {
      name: body.name ?? before.name,
      slug: body.slug ?? before.slug,
      plan: body.plan ?? before.plan,
    };
    const differing = differences(before, changes);
    if (differing.length === 0) return before;
    const after = await updateWorkspace(tx, before.id, {
      ...changes,
      updated_at: context.now.toISOString(),
    }).catch((error: unknown) => {
      throw slugTaken(tx, error);
    });
    await audit(tx, context, {
      workspaceId: before.id,
      action: 'workspace.updated',
      target: { type: 'workspace', id: before.id, name: changes.name },
      changes: differing,
    });
    await recheckPages(tx, context);
    return found(after);
  });
}

/** Deletes a workspace at once for everybody. A job removes its rows, of which there may be millions. */
export async function remove(context: WorkspaceContext) {
  await context.write(async (tx) => {
    const { workspaceId } = context.access;
    await requireLiveAccess(tx, context, 'delete_workspace');
    const hooks = await listHookedIntegrations(tx, workspaceId);
    await recheckPages(tx, context);
    await closeWorkspace(tx, { workspaceId, now: context.now.toISOString() });
    await enqueue(tx, context, {
      kind: removeWorkspaceJob,
      key: workspaceId,
      payload: { workspace_id: workspaceId },
    });
    for (const row of hooks) await enqueueHookRemoval(tx, context, row);
    context.afterCommit('end the streams of a workspace', () => context.announce(workspaceId));
  });
}

/** Wakes the open pages of the members, which show the workspace in their lists. */
async function recheckPages(tx: Tx, context: WorkspaceContext): Promise<void> {
  const userIds = await listActiveUserIds(tx, context.access.workspaceId);
  context.afterCommit('recheck the streams of members', () => {
    for (const userId of userIds) context.announce(userId);
  });
}

function found(row: WorkspaceRow | undefined): WorkspaceRow {
  if (!row) throw notFound('workspace');
  return row;
}
