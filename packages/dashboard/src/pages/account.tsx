import { changePassword, logOut, logOutElsewhere } from '../api/session-requests.ts';
import { Button } from '../components/controls/button.tsx';
import { Form } from '../components/fields/form.tsx';
import { Id } from '../components/text/id.tsx';
import { KeyValue } from '../components/page/key-value.tsx';
import { Page } from '../components/page/page.tsx';
import { TextField } from '../components/fields/text-field.tsx';
import { toast, toastError } from '../components/dialogs/toast.tsx';
import { useSignal } from '@preact/signals';
import { useAction } from '../data/use-action.ts';
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
          <Button pending={leave.pending} onClick={() => void leave.run()}>
            Log out
          </Button>
        </>
      }
    >
      <section class="card pad">
        <h2>You</h2>
        <KeyValue
          rows={[
            ['Email', user.email],
            ['User', <Id key="id" value={user.id} />],
            [`Role in ${name}`, role],
          ]}
        />
      </section>
      <section class="card pad">
        <h2>Appearance</h2>
        <ThemeSwitch />
      </section>
      <section class="card pad">
        <h2>Password</h2>
        <p class="faint">Changing it logs you out everywhere else.</p>
        <PasswordForm />
      </section>
      <PersonalKeys />
    </Page>
  );
}

function PasswordForm() {
  // A new form after a change: what was typed must not stay.
  const changes = useSignal(0);
  return (
    <Form
      key={changes.value}
      submit="Change password"
      width="narrow"
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
        hint="12 to 256 characters."
      />
    </Form>
  );
}
