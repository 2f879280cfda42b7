import { useLocation } from 'preact-iso/router';
import { useLayoutEffect } from 'preact/hooks';

/** Goes elsewhere, and leaves nothing behind that Back would return to. */
export function Redirect({ to }: { to: string }) {
  const { route } = useLocation();
  useLayoutEffect(() => route(to, true), [to]);
  return null;
}
