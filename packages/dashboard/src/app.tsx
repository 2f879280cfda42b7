import { LocationProvider, useLocation } from 'preact-iso/router';
import { CrashBoundary } from './shell/crash-boundary.tsx';
import { OWN_PAGES } from './session/own-pages.ts';
import { DocsPage } from './routes.tsx';
import { SessionGate } from './session/session-gate.tsx';
import { Toasts } from './components/dialogs/toast.tsx';

export function App() {
  return (
    <CrashBoundary>
      <LocationProvider scope={OWN_PAGES}>
        <Pages />
      </LocationProvider>
      <Toasts />
    </CrashBoundary>
  );
}

/** The API reference is public; everything else requires a login. */
function Pages() {
  const { path } = useLocation();
  return /^\/docs(\/|$)/.test(path) ? <DocsPage /> : <SessionGate />;
}
