import { LIMITS } from '@hubline/contract/constants';
import { changePassword, logOut, logOutElsewhere } from '../api/session-requests.ts';
import { Button } from '../components/controls/button.tsx';
import { ActionRow } from '../components/fields/action-row.tsx';
import { Form } from '../components/fields/form.tsx';
import { Page } from '../components/page/page.tsx';
import { Section } from '../components/page/section.tsx';
import { CopyButton } from '../components/text/copy-button.tsx';
import { statusWord } from '../components/text/status.tsx';
import { TextField } from '../components/fields/text-field.tsx';
import { Seg } from '../components/controls/seg.tsx';
import { toast, toastError } from '../components/dialogs/toast.tsx';
import { useSignal } from '@preact/signals';
import { leaveBy } from '../data/address/leaving.ts';
import { useAction } from '../data/queries/use-action.ts';
import { SINGLE_KEYS, singleKeys } from '../shell/shortcuts.ts';
import { ThemeSwitch } from '../shell/theme-switch.tsx';
import { useWorkspace } from '../session/workspace.ts';
import { PersonalKeys } from './api-keys/personal-keys.tsx';

export function AccountPage() {
  const { user, role, name } = useWorkspace();
  const leave = useAction(() => logOut().catch(toastError));
  const others = useAction(async () => {
    try {
      await logOutElsewhere();
      toast('Your other sessions have ended.');
    } catch (error) {
      toastError(error);
    }
  });
  return (
    <Page
      title="Account"
      actions={
        <>
          <Button pending={others.pending} onClick={() => void others.run()}>
            Log out everywhere else
          </Button>
          <Button pending={leave.pending} onClick={() => leaveBy(() => void leave.run())}>
            Log out
          </Button>
        </>
      }
    >
      <div class="sheet-2">
        <Section title="You">
          <div class="card">
            <ActionRow title={user.email} action={<span class="pill">{statusWord(role)}</span>}>
              Your role in {name}
            </ActionRow>
            <ActionRow title="User ID" action={<CopyButton text={user.id} label="Copy the user ID" />}>
              <code>{user.id}</code>
            </ActionRow>
            <ActionRow title="Theme" action={<ThemeSwitch />}>
              Only in this browser
            </ActionRow>
            <ActionRow
              title="Single-key shortcuts"
              action={
                <Seg
                  label="Single-key shortcuts"
                  options={SINGLE_KEYS}
                  value={singleKeys.value}
                  onChange={(next) => (singleKeys.value = next)}
                />
              }
            >
              Only in this browser
            </ActionRow>
          </div>
        </Section>
        <Section title="Password">
          <PasswordForm />
        </Section>
      </div>
      <PersonalKeys />
    </Page>
  );
}

function PasswordForm() {
  // The key makes a new form after a change, so that the typed passwords do not stay.
  const changes = useSignal(0);
  return (
    <Form
      key={changes.value}
      submit="Change password"
      rows
      disposable
      action={async (fields) => {
        await changePassword(fields.raw('current_password'), fields.raw('new_password'));
        changes.value++;
        toast('Your password was changed. Your other sessions have ended.');
      }}
    >
      <TextField
        name="current_password"
        label="Current password"
        type="password"
        autoComplete="current-password"
      />
      <TextField
        name="new_password"
        label="New password"
        type="password"
        autoComplete="new-password"
        hint={`${LIMITS.passwordMin} to ${LIMITS.passwordMax} characters. Changing it logs you out everywhere else.`}
      />
    </Form>
  );
}
