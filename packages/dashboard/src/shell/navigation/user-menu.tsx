import { logOut } from '../../api/session-requests.ts';
import { Popover } from '../../components/controls/popover.tsx';
import { Icon } from '../../components/icons/icon.tsx';
import { Face } from '../../components/text/face.tsx';
import { toastError } from '../../components/dialogs/toast.tsx';
import { useAction } from '../../data/queries/use-action.ts';
import { leaveBy } from '../../data/address/leaving.ts';
import { ThemeSwitch } from '../theme-switch.tsx';
import { useWorkspace } from '../../session/workspace.ts';

/** The account of the person, the theme, and the logout. */
export function UserMenu({ email }: { email: string }) {
  const { href } = useWorkspace();
  const leave = useAction(() => logOut().catch(toastError));
  return (
    <Popover
      class="me"
      role="dialog"
      label={
        <>
          <span class="sr">Account menu: </span>
          <Face name={email} />
          <span class="clip">{email}</span>
          <Icon name="updown" size="s" />
        </>
      }
    >
      {(close) => (
        <>
          <a href={href('account')} onClick={close}>
            <Icon name="user" />
            Account
          </a>
          <a href="/docs" onClick={close}>
            <Icon name="code" />
            API reference
          </a>
          <div class="menu-row">
            Theme
            <ThemeSwitch />
          </div>
          <hr />
          <button type="button" onClick={() => leaveBy(() => void leave.run())} aria-busy={leave.pending}>
            <Icon name="out" />
            Log out
          </button>
        </>
      )}
    </Popover>
  );
}
