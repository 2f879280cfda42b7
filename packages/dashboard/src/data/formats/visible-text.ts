/** Control characters except tabs and line ends, and characters that change the direction of the surrounding text. */
const HIDDEN = /[^\P{Cc}\t\n\r]|\p{Bidi_Control}/gu;

/** Text from outside, with such characters shown as escapes, such as `\u202e`. */
export const visibleText = (text: string): string =>
  text.replaceAll(HIDDEN, (hidden) => `\\u${hidden.charCodeAt(0).toString(16).padStart(4, '0')}`);
