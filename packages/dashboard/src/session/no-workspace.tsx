import { useSignal } from '@preact/signals';
import { logOut } from '../api/session-requests.ts';
import { Button } from '../components/controls/button.tsx';
import { useAction } from '../data/queries/use-action.ts';
import { NewWorkspaceDialog } from '../pages/settings/new-workspace.tsx';

/** Shown to a person who was removed from their last workspace, or never invited. */
export function NoWorkspace() {
  const leave = useAction(logOut);
  const making = useSignal(false);
  return (
    <main class="alone">
      <h1>You have no workspace yet</h1>
      <p>Ask for an invitation, or create a workspace.</p>
      <div class="line">
        <Button kind="primary" onClick={() => (making.value = true)}>
          New workspace
        </Button>
        <Button onClick={() => location.reload()}>Check again</Button>
        <Button kind="quiet" pending={leave.pending} onClick={() => void leave.run()}>
          Log out
        </Button>
      </div>
      <NewWorkspaceDialog open={making.value} onClose={() => (making.value = false)} />
    </main>
  );
}
