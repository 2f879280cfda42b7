import type { InvitedMember, Member, Role } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { toast, toastError } from '../../components/dialogs/toast.tsx';
import { statusWord } from '../../components/text/status.tsx';
import { useAction } from '../../data/queries/use-action.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { mayChange, rolesToGive } from './member-roles.ts';

/** The open dialog, and the member it is about. */
export type MemberTask = { readonly task: 'remove' | 'transfer'; readonly member: Member };

interface MemberActionsProps {
  readonly member: Member;
  /** Called when the server refused a change, because the list now shows a wrong role. */
  readonly onRefused: () => void;
  /** Called when a new link was made. */
  readonly onInvited: (invitation: InvitedMember) => void;
  readonly onTask: (task: MemberTask) => void;
}

/** The role of a member: a choice for those who may change it. */
export function MemberRole({ member, onRefused }: Pick<MemberActionsProps, 'member' | 'onRefused'>) {
  const workspace = useWorkspace();
  const { user_id, email, role } = member;
  const change = useAction(async (next: Role) => {
    try {
      await client.members.update(workspace.id, user_id, { role: next });
      toast(`${email} is now ${next === 'admin' ? 'an' : 'a'} ${next}.`);
    } catch (reason) {
      toastError(reason);
      onRefused();
    }
  });
  if (!isManaged(workspace, role)) return <>{statusWord(role)}</>;
  return (
    <select
      class="input"
      data-size="small"
      aria-label={`Role of ${email}`}
      value={role}
      disabled={change.pending || user_id === workspace.user.id}
      onChange={(event) => {
        const next = rolesToGive(workspace.role).find((each) => each === event.currentTarget.value);
        if (next) void change.run(next);
      }}
    >
      {rolesToGive(workspace.role).map((each) => (
        <option key={each} value={each}>
          {statusWord(each)}
        </option>
      ))}
    </select>
  );
}

/** Reports whether the user may change a member with `role`. An owner's role changes only by a transfer. */
const isManaged = ({ role: own, can }: ReturnType<typeof useWorkspace>, role: string): boolean =>
  can('manage_members') && mayChange(own, role) && role !== 'owner';

/** The actions for one member, shown to those who may take them. */
export function MemberActions({ member, onInvited, onTask }: Omit<MemberActionsProps, 'onRefused'>) {
  const workspace = useWorkspace();
  const { user_id, email, role, status } = member;
  const resend = useAction(() =>
    client.members.resendInvite(workspace.id, user_id).then(onInvited, toastError),
  );
  if (!isManaged(workspace, role)) return null;
  return (
    <div class="line r">
      {status === 'invited' && (
        <Button
          kind="quiet"
          size="small"
          about={email}
          pending={resend.pending}
          onClick={() => void resend.run()}
        >
          New link
        </Button>
      )}
      {workspace.role === 'owner' && role === 'admin' && status === 'active' && (
        <Button kind="quiet" size="small" about={email} onClick={() => onTask({ task: 'transfer', member })}>
          Make owner
        </Button>
      )}
      <Button kind="danger" size="small" about={email} onClick={() => onTask({ task: 'remove', member })}>
        {status === 'invited' ? 'Withdraw' : 'Remove'}
      </Button>
    </div>
  );
}
