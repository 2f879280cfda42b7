import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { PaletteCommand } from './palette-command.ts';

type Offer = Omit<PaletteCommand, 'kind'>;

const shown = new Set<RefObject<Offer | undefined>>();

/** The actions that the page offers now for open or selected things. Those of a selection come first. */
export const offers = (): readonly PaletteCommand[] =>
  [...shown].toReversed().flatMap(({ current }) => (current ? [{ ...current, kind: 'Action' }] : []));

/** Offers an action in the palette, as long as the component is shown; `undefined` while the action cannot be done. */
export function useOffer(offer: Offer | undefined): void {
  const newest = useRef(offer);
  newest.current = offer;
  useEffect(() => {
    shown.add(newest);
    return () => void shown.delete(newest);
  }, []);
}
