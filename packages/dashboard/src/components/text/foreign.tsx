import { visibleText } from '../../data/formats/visible-text.ts';

/** A text that somebody else wrote: its text direction does not affect its surroundings, and nothing in it is hidden. */
export function Foreign({ text }: { text: string }) {
  return <bdi>{visibleText(text)}</bdi>;
}
