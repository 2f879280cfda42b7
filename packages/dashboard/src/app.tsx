import { LocationProvider } from 'preact-iso/router';
import { CrashBoundary } from './shell/crash-boundary.tsx';
import { OWN_PAGES } from './shell/own-pages.ts';
import { SessionGate } from './shell/session-gate.tsx';
import { Toasts } from './components/toast.tsx';

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
