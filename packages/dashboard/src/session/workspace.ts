import type { Permission } from '@hubline/contract/constants';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { can, rolesWith, whoMay } from '../api/permissions.ts';

/** The workspace of the page, and what the person may do in it. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly role: string;
  readonly user: { readonly id: string; readonly email: string };
}

export const WorkspaceContext = createContext<Workspace | null>(null);

/** The workspace of this page, `can(permission)` and its reasons, and `href('events/evt_…')`. */
export function useWorkspace() {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error('This component belongs on a page below /w/{slug}/.');
  return {
    ...workspace,
    can: (permission: Permission) => can(workspace.role, permission),
    /** The reason why a control is disabled; `undefined` if the role has the permission. */
    refusal: (permission: Permission) => (can(workspace.role, permission) ? undefined : whoMay(permission)),
    /** The same for a form or an editor, which such a role can only read. */
    viewOnly: (permission: Permission) =>
      can(workspace.role, permission) ? undefined : `View only: ${rolesWith(permission)} can change this.`,
    href: (page: string) => `/w/${workspace.slug}/${page}`,
  };
}

/** Throws for a thing of another workspace, which an ID can open too: the controls of the page follow the role in this one. */
export function mustBeIn<Thing extends { readonly workspace_id: string }>(id: string, thing: Thing): Thing {
  if (thing.workspace_id !== id) throw new Error('This belongs to another workspace.');
  return thing;
}
