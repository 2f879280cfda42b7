import { logOut } from '../api/session-requests.ts';
import { Button } from '../components/controls/button.tsx';
import { Icon } from '../components/controls/icon.tsx';
import { toastError } from '../components/dialogs/toast.tsx';
import { useAction } from '../data/use-action.ts';
import { ThemeSelect } from './theme-select.tsx';
import { useWorkspace } from '../session/workspace.ts';

export function UserMenu({ email }: { email: string }) {
  const { href } = useWorkspace();
  const leave = useAction(() => logOut().catch(toastError));
  return (
    <details class="user-menu">
      <summary>
        <Icon name="user" /> <span title={email}>{email}</span>
      </summary>
      <div>
        <a href={href('account')}>Account</a>
        <ThemeSelect />
        <Button pending={leave.pending} onClick={() => void leave.run()}>
          Log out
        </Button>
      </div>
    </details>
  );
}
