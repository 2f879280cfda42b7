import type { Deps } from '../../../context.ts';
import { findEvent } from '../../../db/events/events.ts';
import { findWorkspace } from '../../../db/workspaces/workspaces.ts';
import { plainScope, type Scope } from '../../../domain/conditions/scope.ts';
import { scopeOf } from '../../events/event-scope.ts';
import type { RuleOccurrence } from '../../../domain/notifications/rule.ts';

/** The values that conditions and templates may name; `null` if the event or the workspace is gone. */
export async function scopeOfOccurrence(
  deps: Pick<Deps, 'store'>,
  occurrence: RuleOccurrence,
): Promise<Scope | null> {
  const { workspaceId, fact, data } = occurrence;
  if (fact.trigger !== 'event.created')
    return withWorkspace(deps, workspaceId, plainScope(fact.trigger, data));
  const event = await findEvent(deps.store.read, workspaceId, occurrence.id);
  return event ? withWorkspace(deps, workspaceId, await scopeOf(deps, event)) : null;
}

/** Adds the workspace to the values of an occurrence; `null` if it is gone. */
export async function withWorkspace(
  { store }: Pick<Deps, 'store'>,
  workspaceId: string,
  scope: Scope,
): Promise<Scope | null> {
  const workspace = await findWorkspace(store.read, workspaceId);
  if (!workspace) return null;
  const { id, name, slug } = workspace;
  return { ...scope, values: { ...scope.values, workspace: { id, name, slug } } };
}
