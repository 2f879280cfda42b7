import type { InvitedMember, Member, Role } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { toast, toastError } from '../../components/dialogs/toast.tsx';
import { useAction } from '../../data/use-action.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { mayChange, rolesToGive } from './member-roles.ts';

/** The open dialog, and the member it is about. */
export type MemberTask = { readonly task: 'remove' | 'transfer'; readonly member: Member };

interface MemberActionsProps {
  readonly member: Member;
  /** Called when the server refused a change: the list shows what is not so. */
  readonly onRefused: () => void;
  /** A new link was made. */
  readonly onInvited: (invitation: InvitedMember) => void;
  readonly onTask: (task: MemberTask) => void;
}

/** The actions for one member; nothing for those who may not. */
export function MemberActions({ member, onRefused, onInvited, onTask }: MemberActionsProps) {
  const workspace = useWorkspace();
  const { user_id, email, role, status } = member;
  const change = useAction(async (next: Role) => {
    try {
      await client.members.update(workspace.id, user_id, { role: next });
      toast(`${email} is ${next} now.`);
    } catch (reason) {
      toastError(reason);
      onRefused();
    }
  });
  const resend = useAction(() =>
    client.members.resendInvite(workspace.id, user_id).then(onInvited, toastError),
  );

  // The role of an owner changes only by handing it on.
  if (!workspace.can('manage_members') || !mayChange(workspace.role, role) || role === 'owner') return null;
  const self = user_id === workspace.user.id;
  return (
    <div class="line wrapf">
      {status === 'invited' && (
        <Button kind="quiet" size="small" pending={resend.pending} onClick={() => void resend.run()}>
          New link
        </Button>
      )}
      {workspace.role === 'owner' && role === 'admin' && status === 'active' && (
        <Button kind="quiet" size="small" onClick={() => onTask({ task: 'transfer', member })}>
          Make owner
        </Button>
      )}
      <select
        class="input"
        data-size="small"
        aria-label={`Role of ${email}`}
        value={role}
        disabled={change.pending || self}
        onChange={(event) => {
          const next = rolesToGive(workspace.role).find((each) => each === event.currentTarget.value);
          if (next) void change.run(next);
        }}
      >
        {rolesToGive(workspace.role).map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      <Button kind="danger" size="small" onClick={() => onTask({ task: 'remove', member })}>
        {status === 'invited' ? 'Withdraw' : 'Remove'}
      </Button>
    </div>
  );
}
