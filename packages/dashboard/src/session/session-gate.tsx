import { useLocation } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';
import { loadSession } from '../api/session-requests.ts';
import { session } from '../api/session.ts';
import { ErrorPanel } from '../components/page/error-panel.tsx';
import { useAction } from '../data/queries/use-action.ts';
import { LoginPage } from '../routes.tsx';
import { OWN_PAGES } from './own-pages.ts';
import { loginPath, returnPath } from './login-path.ts';
import { Redirect } from './redirect.tsx';
import { LoggedIn } from './logged-in.tsx';

/** Shows the login page to anybody who is not logged in, and then the page that they came for. */
export function SessionGate() {
  const { path, url, query } = useLocation();
  const load = useAction(() => loadSession());
  useEffect(() => {
    void load.run();
  }, []);

  const me = session.value;
  if (me === 'unknown') {
    return load.error === undefined ? (
      <div class="progress" role="progressbar" aria-label="Loading" />
    ) : (
      <main class="alone">
        <h1>The server cannot be reached</h1>
        <ErrorPanel error={load.error} retry={() => void load.run()} />
      </main>
    );
  }
  if (me === null) return path === '/login' ? <LoginPage /> : <Redirect to={loginPath(url)} />;
  if (path === '/login') return <GoOn to={returnPath(query['next'])} />;
  return <LoggedIn me={me} />;
}

/** Goes on to a page of the dashboard, or to one that the server itself shows, such as that of an invitation. */
function GoOn({ to }: { to: string }) {
  const own = OWN_PAGES.test(to);
  useEffect(() => {
    if (!own) location.replace(to);
  }, [own, to]);
  return own ? <Redirect to={to} /> : null;
}
