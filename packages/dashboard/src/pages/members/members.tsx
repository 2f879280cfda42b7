import type { InvitedMember } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { client } from '../../api/client.ts';
import { loadSession } from '../../api/session-requests.ts';
import { Button } from '../../components/controls/button.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { SecretOnce } from '../../components/dialogs/secret-once.tsx';
import { toast } from '../../components/dialogs/toast.tsx';
import { Choices } from '../../components/fields/choices.tsx';
import { Form } from '../../components/fields/form.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { LoadMore } from '../../components/page/load-more.tsx';
import { Page } from '../../components/page/page.tsx';
import { Section } from '../../components/page/section.tsx';
import { Table } from '../../components/page/table.tsx';
import { Face } from '../../components/text/face.tsx';
import { Status, statusWord } from '../../components/text/status.tsx';
import { Time } from '../../components/text/time.tsx';
import { useFilters } from '../../data/address/use-filters.ts';
import { countNote, usePages } from '../../data/queries/use-pages.ts';
import { useQuery } from '../../data/queries/use-query.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { MemberActions, MemberRole, type MemberTask } from './member-actions.tsx';
import { rolesToGive, ROLE_WORDS } from './member-roles.ts';
import { RoleRights } from './role-rights.tsx';

export function MembersPage() {
  const workspace = useWorkspace();
  const members = usePages(
    (signal) => client.members.list(workspace.id, { limit: 50 }, { signal }),
    // The list also depends on the role of the user.
    ['members', workspace.id, workspace.role],
  );
  // In the address, so that the palette can lead to it.
  const inviting = useFilters(['new']);
  const refusal = workspace.refusal('manage_members');
  const server = useQuery((signal) => client.notifications.unread({ signal }), ['notifications', 'unread']);
  const invited = useSignal<InvitedMember>();
  const task = useSignal<MemberTask>();
  const closeTask = () => (task.value = undefined);
  const about = task.value?.member;
  const name = about?.email;
  const isInvited = about?.status === 'invited';

  return (
    <Page
      title="Members"
      note={countNote(members)}
      actions={
        <Button kind="primary" icon="plus" blocked={refusal} onClick={() => inviting.set({ new: '1' })}>
          Invite
        </Button>
      }
    >
      <div class="two mem">
        <div class="col">
          <Table
            caption="Members"
            items={members.items}
            rowKey={({ user_id }) => user_id}
            columns={[
              {
                label: 'Member',
                grow: true,
                cell: ({ user_id, email }) => (
                  <span class="line person">
                    <Face name={email} />
                    <span class="strong clip">{email}</span>
                    {user_id === workspace.user.id && <span class="faint">you</span>}
                  </span>
                ),
              },
              {
                label: 'Role',
                cell: (member) => <MemberRole member={member} onRefused={() => void members.refresh()} />,
              },
              {
                label: 'Joined',
                cell: ({ joined_at, status }) =>
                  joined_at === null ? <Status status={status} /> : <Time value={joined_at} day />,
              },
              {
                label: '',
                align: 'end',
                cell: (member) => (
                  <MemberActions
                    member={member}
                    onInvited={(invitation) => (invited.value = invitation)}
                    onTask={(next) => (task.value = next)}
                  />
                ),
              },
            ]}
            empty={<EmptyState title="No members yet">Invite the people you work with.</EmptyState>}
          />
          <LoadMore pages={members} />
        </div>
        <Section title="What each role may do">
          <RoleRights role={workspace.role} />
          <p class="small faint">A change takes effect at once. Only an owner can make an admin the owner.</p>
        </Section>
      </div>

      <Dialog
        open={!refusal && inviting.active}
        title="Invite a member"
        description="They choose a password through a link."
        onClose={inviting.clear}
      >
        <Form
          submit="Invite"
          onCancel={inviting.clear}
          action={async (fields) => {
            invited.value = await client.members.invite(workspace.id, {
              email: fields.text('email'),
              role: rolesToGive(workspace.role).find((role) => role === fields.text('role')),
            });
            inviting.clear();
          }}
        >
          <TextField name="email" label="Email" type="email" />
          <Choices
            name="role"
            label="Role"
            value="member"
            options={rolesToGive(workspace.role)
              .toReversed()
              .map((role) => [role, statusWord(role), ROLE_WORDS[role]])}
          />
        </Form>
      </Dialog>

      <SecretOnce
        title="Invitation"
        secret={invited.value?.invite_url}
        noun="link"
        onClose={() => (invited.value = undefined)}
      >
        <p>
          Send this link to <strong>{invited.value?.email}</strong>. It works once, and expires on{' '}
          <Time value={invited.value?.expires_at} />. People with an account log in to accept.
          {server.data &&
            (server.data.email
              ? ' They also get an email, with their own link.'
              : ' This server sends no email: they get the link only from you.')}
        </p>
      </SecretOnce>

      <ConfirmDialog
        open={task.value?.task === 'remove'}
        title={isInvited ? 'Withdraw the invitation' : 'Remove a member'}
        action={isInvited ? 'Withdraw' : 'Remove'}
        onClose={closeTask}
        onConfirm={async () => {
          await client.members.remove(workspace.id, about?.user_id ?? '');
          members.update((items) => items.filter(({ user_id }) => user_id !== about?.user_id));
          toast(isInvited ? `Withdrew the invitation of ${name}.` : `Removed ${name}.`);
        }}
      >
        {isInvited ? (
          <p>
            The invitation link of <strong>{name}</strong> stops working. They can be invited again.
          </p>
        ) : (
          <p>
            <strong>{name}</strong> loses access to {workspace.name} at once, and the API keys that they made
            stop working. They can be invited again.
          </p>
        )}
      </ConfirmDialog>

      <ConfirmDialog
        open={task.value?.task === 'transfer'}
        title="Transfer ownership"
        action="Transfer"
        typeName={workspace.slug}
        onClose={closeTask}
        onConfirm={async () => {
          await client.members.update(workspace.id, about?.user_id ?? '', { role: 'owner' });
          // The role of the user has changed, and the whole page depends on it.
          await loadSession();
          toast(`${name} is now the owner.`);
        }}
      >
        <p>
          <strong>{name}</strong> becomes the owner of {workspace.name}, and you become an admin. This takes
          effect at once and cannot be undone.
        </p>
      </ConfirmDialog>
    </Page>
  );
}
