import { useLocation } from 'preact-iso/router';

type Ask = (to: string) => void;

interface Guard {
  /** The address of the page. */
  readonly here: string;
  readonly ask: Ask;
}

/** The page that asks before it is left. */
let guard: Guard | undefined;

const addressNow = (): string => location.pathname + location.search;

addEventListener('beforeunload', (event) => {
  if (guard) event.preventDefault();
});
addEventListener(
  'click',
  (event) => {
    const link = (event.target as Element).closest('a');
    if (!guard || !link || link.target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    guard.ask(link.href.replace(location.origin, ''));
  },
  true,
);
// Added when this module is loaded, and so before the router's listener: the router must not hear of a Back that is refused.
addEventListener('popstate', (event) => {
  if (!guard) return;
  const to = addressNow();
  event.stopImmediatePropagation();
  // The browser has left already: this returns to the page, whose content is still shown.
  history.pushState(null, '', guard.here);
  guard.ask(to);
});

/** Asks before the open page is left, by a link, a shortcut, the palette or Back, until the returned function is called. */
export function guardLeaving(ask: Ask): () => void {
  const before = guard;
  guard = { here: addressNow(), ask };
  return () => {
    guard = before;
  };
}

/** Opens a page, unless the open one asks first. */
export function useGo(): (to: string) => void {
  const { route } = useLocation();
  return (to) => (guard?.ask ?? route)(to);
}
