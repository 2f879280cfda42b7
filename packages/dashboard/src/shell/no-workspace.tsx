import { logOut } from '../api/session-requests.ts';
import { CodeSnippet } from '../components/code-snippet.tsx';
import { Button } from '../components/button.tsx';
import { useAction } from '../data/use-action.ts';

/** Removed from the last one, or never invited. */
export function NoWorkspace() {
  const leave = useAction(logOut);
  return (
    <main class="page">
      <h1>You are in no workspace yet</h1>
      <p>Ask somebody for an invitation, or make a workspace on the command line:</p>
      <CodeSnippet samples={{ Shell: 'hubline workspace create --name "My team" --slug my-team' }} />
      <div class="row">
        <Button onClick={() => location.reload()}>Look again</Button>
        <Button kind="quiet" pending={leave.pending} onClick={() => void leave.run()}>
          Log out
        </Button>
      </div>
    </main>
  );
}
