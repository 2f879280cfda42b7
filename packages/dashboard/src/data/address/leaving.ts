import { useLocation } from 'preact-iso/router';

type Ask = (to: string) => void;

let guard: Ask | undefined;

/** Asks before the open page is left, by a link, a shortcut, the palette or Back, until the returned function is called. */
export function guardLeaving(ask: Ask): () => void {
  const here = location.pathname + location.search;
  const unload = (event: Event): void => event.preventDefault();
  const click = (event: MouseEvent): void => {
    const link = (event.target as Element).closest('a');
    if (!link || link.target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    ask(link.href.replace(location.origin, ''));
  };
  const back = (event: PopStateEvent): void => {
    const to = location.pathname + location.search;
    event.stopImmediatePropagation();
    // The browser has left already: this returns to the page, whose content is still shown.
    history.pushState(null, '', here);
    ask(to);
  };
  guard = ask;
  addEventListener('beforeunload', unload);
  addEventListener('click', click, true);
  addEventListener('popstate', back, true);
  return () => {
    guard = undefined;
    removeEventListener('beforeunload', unload);
    removeEventListener('click', click, true);
    removeEventListener('popstate', back, true);
  };
}

/** Opens a page, unless the open one asks first. */
export function useGo(): (to: string) => void {
  const { route } = useLocation();
  return (to) => (guard ?? route)(to);
}
