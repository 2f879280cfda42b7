import { useLocation } from 'preact-iso/router';
import { useLayoutEffect } from 'preact/hooks';

/** Goes to another page, without an entry in the history that Back would return to. */
export function Redirect({ to }: { to: string }) {
  const { route } = useLocation();
  useLayoutEffect(() => route(to, true), [to]);
  return null;
}
