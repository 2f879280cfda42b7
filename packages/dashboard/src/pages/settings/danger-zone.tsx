import { LIMITS } from '@hubline/contract/constants';
import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { setMemberships } from '../../api/session.ts';
import { ActionRow } from '../../components/fields/action-row.tsx';
import { Button } from '../../components/controls/button.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Section } from '../../components/page/section.tsx';
import { toast } from '../../components/dialogs/toast.tsx';
import { useQuery } from '../../data/queries/use-query.ts';
import { useWorkspace } from '../../session/workspace.ts';

/** Actions that cannot be undone. */
export function DangerZone() {
  const workspace = useWorkspace();
  const { route } = useLocation();
  const stay = useReasonToStay(workspace);
  const asking = useSignal<'leave' | 'delete'>();
  const close = () => (asking.value = undefined);
  const go = (said: string) => {
    setMemberships((all) => all.filter(({ workspace_id }) => workspace_id !== workspace.id));
    route('/', true);
    toast(said);
  };
  return (
    <Section title="Danger zone">
      <div class="card danger">
        <ActionRow
          title="Leave this workspace"
          action={
            <Button kind="danger" blocked={stay} onClick={() => (asking.value = 'leave')}>
              Leave
            </Button>
          }
        >
          {stay ?? 'You lose access to it at once, and the API keys that you made here stop working.'}
        </ActionRow>
        <ActionRow
          title="Delete this workspace"
          action={
            <Button
              kind="danger"
              blocked={workspace.refusal('delete_workspace')}
              onClick={() => (asking.value = 'delete')}
            >
              Delete
            </Button>
          }
        >
          Deletes it with everything in it.
        </ActionRow>
      </div>

      <ConfirmDialog
        open={asking.value === 'leave'}
        title={`Leave ${workspace.name}`}
        action="Leave"
        onClose={close}
        onConfirm={async () => {
          await client.members.remove(workspace.id, workspace.user.id);
          go(`You have left ${workspace.name}.`);
        }}
      >
        <p>
          You lose access to {workspace.name} at once, and the API keys that you made here stop working. To
          come back, you need an invitation.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking.value === 'delete'}
        title={`Delete ${workspace.name}`}
        action="Delete"
        typeName={workspace.slug}
        onClose={close}
        onConfirm={async () => {
          await client.workspaces.delete(workspace.id);
          go(`Deleted ${workspace.name}.`);
        }}
      >
        <p>
          Everything in <strong>{workspace.name}</strong> is deleted at once, for everybody: members,
          integrations, events, webhooks, API keys and the audit log. This cannot be undone.
        </p>
      </ConfirmDialog>
    </Section>
  );
}

/** The reason why a member cannot leave. Leaving takes the right to remove members, and a workspace keeps an owner. */
function useReasonToStay(workspace: ReturnType<typeof useWorkspace>): string | undefined {
  const { id, role, can } = workspace;
  const { data: isOnlyOwner } = useQuery(
    async (signal) => role === 'owner' && (await isAloneAsOwner(id, signal)),
    ['members', id, role, 'only owner'],
  );
  if (isOnlyOwner)
    return 'You are the only owner. Transfer ownership to an admin first, on the members page.';
  return can('manage_members') ? undefined : 'Ask an owner or admin to remove you.';
}

/** False if a workspace is so large that another owner may be on a further page: the server decides in any case. */
async function isAloneAsOwner(workspaceId: string, signal: AbortSignal): Promise<boolean> {
  const { data, pagination } = await client.members.list(workspaceId, { limit: LIMITS.pageMax }, { signal });
  const owners = data.filter(({ role, status }) => role === 'owner' && status === 'active');
  return owners.length === 1 && !pagination.has_more;
}
