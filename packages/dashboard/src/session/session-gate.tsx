import { useLocation } from 'preact-iso/router';
import { useEffect, useRef } from 'preact/hooks';
import { loadSession } from '../api/session-requests.ts';
import { type Session, session } from '../api/session.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { ErrorPanel } from '../components/page/error-panel.tsx';
import { isUnsaved } from '../data/address/leaving.ts';
import { useAction } from '../data/queries/use-action.ts';
import { LoginForm } from '../pages/login.tsx';
import { LoginPage } from '../routes.tsx';
import { OWN_PAGES } from './own-pages.ts';
import { loginPath, returnPath } from './login-path.ts';
import { Redirect } from './redirect.tsx';
import { LoggedIn } from './logged-in.tsx';

/**
 * Shows the login page to anybody who is not logged in, and then the page that they came for. After the end of a session, a page on
 * which something is not saved waits, hidden, for the same user: another one gets a new page.
 */
export function SessionGate() {
  const { path, url, query } = useLocation();
  const load = useAction(() => loadSession());
  useEffect(() => {
    void load.run();
  }, []);

  const last = useRef<Session | null>(null);
  const me = session.value;
  if (me === 'unknown') {
    return load.error === undefined ? (
      <div class="progress" role="progressbar" aria-label="Loading" />
    ) : (
      <main class="alone">
        <h1>The server cannot be reached</h1>
        <ErrorPanel of={{ error: load.error, reload: () => void load.run() }} />
      </main>
    );
  }
  if (me) last.current = me;
  // Without anything to save, the page closes.
  const shown = me ?? (isUnsaved() ? last.current : null);
  if (!shown) return path === '/login' ? <LoginPage /> : <Redirect to={loginPath(url)} />;
  if (path === '/login') return <GoOn to={returnPath(query['next'])} />;
  return (
    <>
      <div style={{ display: me ? 'contents' : 'none' }}>
        <LoggedIn me={shown} key={shown.user.id} />
      </div>
      <Dialog
        open={!me}
        locked
        disposable
        onClose={() => undefined}
        title="Log in again"
        description="Your session has ended. What you entered is kept for you."
      >
        <LoginForm />
      </Dialog>
    </>
  );
}

/** Goes on to a page of the dashboard, or to one that the server itself shows, such as that of an invitation. */
function GoOn({ to }: { to: string }) {
  const own = OWN_PAGES.test(to);
  useEffect(() => {
    if (!own) location.replace(to);
  }, [own, to]);
  return own ? <Redirect to={to} /> : null;
}
