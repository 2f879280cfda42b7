import { visibleText } from '../../data/formats/visible-text.ts';

/** A text that somebody else wrote: its direction ends where it ends, and nothing in it is hidden. */
export function Foreign({ text }: { text: string }) {
  return <bdi>{visibleText(text)}</bdi>;
}
