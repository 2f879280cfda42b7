import { LocationProvider } from 'preact-iso/router';
import { CrashBoundary } from './shell/crash-boundary.tsx';
import { OWN_PAGES } from './session/own-pages.ts';
import { SessionGate } from './session/session-gate.tsx';
import { Toasts } from './components/dialogs/toast.tsx';

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
