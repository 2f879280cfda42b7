/** Control characters but tab and line ends, and those that turn the direction of the text around them. */
const HIDDEN = /[^\P{Cc}\t\n\r]|\p{Bidi_Control}/gu;

/** Foreign text with nothing in it that hides or turns other text: `\u202e` in the place of the character. */
export const visibleText = (text: string): string =>
  text.replaceAll(HIDDEN, (hidden) => `\\u${hidden.charCodeAt(0).toString(16).padStart(4, '0')}`);
