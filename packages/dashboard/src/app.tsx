import { LocationProvider } from 'preact-iso/router';
import { CrashBoundary } from './shell/crash-boundary.tsx';
import { SessionGate } from './shell/session-gate.tsx';
import { Toasts } from './components/toast.tsx';

/** Everything but what the server answers itself: the API, and the plain pages that a one-time link leads to. */
const OWN_PAGES = /^\/(?!(?:v\d+|setup|invite)(?:[/?]|$))/;

export function App() {
  return (
    <CrashBoundary>
      <LocationProvider scope={OWN_PAGES}>
        <SessionGate />
      </LocationProvider>
      <Toasts />
    </CrashBoundary>
  );
}
