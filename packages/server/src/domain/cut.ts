const SURROGATE = /[\ud800-\udfff]/;

/** The first characters of a text, never half a surrogate pair. A text that is cut ends in an ellipsis. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  // A character takes one or two code units: this many hold one character more than is kept.
  const start = text.slice(0, 2 * (max + 1));
  if (!SURROGATE.test(start)) return `${start.slice(0, max - 1)}…`;
  const characters = [...start];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}
