import { useLocation } from 'preact-iso/router';

/** An address, or what ends the page in another way. */
type Leave = string | (() => void);
type Ask = (leave: Leave) => void;

interface Guard {
  /** The address of the page, to which a refused Back returns. */
  readonly here: string;
  readonly ask: Ask;
}

/** Forms and dialogs that ask before the page is left; the newest is in front of the others. */
const guards = new Set<Guard>();
const guardNow = (): Guard | undefined => [...guards].at(-1);

const addressNow = (): string => location.pathname + location.search;

addEventListener('beforeunload', (event) => {
  if (guards.size > 0) event.preventDefault();
});
addEventListener(
  'click',
  (event) => {
    const link = (event.target as Element).closest('a');
    const guard = guardNow();
    // A link to a part of the page does not leave it.
    if (!guard || !link || link.target || link.hash || event.ctrlKey || event.metaKey || event.shiftKey)
      return;
    event.preventDefault();
    event.stopPropagation();
    guard.ask(link.href.replace(location.origin, ''));
  },
  true,
);
// Added when this module is loaded, and so before the router's listener: the router must not hear of a Back that is refused.
addEventListener('popstate', (event) => {
  const guard = guardNow();
  const to = addressNow();
  if (!guard || to === guard.here) return;
  event.stopImmediatePropagation();
  // The browser has left already: this returns to the page, whose content is still shown.
  history.pushState(null, '', guard.here);
  guard.ask(to);
});

/** Asks before the open page is left, by a link, a shortcut, the palette or Back, until the returned function is called. */
export function guardLeaving(ask: Ask): () => void {
  const guard = { here: addressNow(), ask };
  guards.add(guard);
  return () => guards.delete(guard);
}

/** Reports whether something on the page is not saved. */
export const isUnsaved = (): boolean => guards.size > 0;

/** Lets the page go without a question. */
export const dropUnsaved = (): void => guards.clear();

/** Leaves the dashboard for another site, without a question: somebody has just submitted what they entered. */
export function leaveFor(url: string): void {
  dropUnsaved();
  location.assign(url);
}

/** Does what ends the page, such as a logout, unless the open one asks first. */
export function leaveBy(act: () => void): void {
  const guard = guardNow();
  if (guard) guard.ask(act);
  else act();
}

/** Opens a page, unless the open one asks first. */
export function useGo(): (to: string) => void {
  const { route } = useLocation();
  return (to) => (guardNow()?.ask ?? route)(to);
}
