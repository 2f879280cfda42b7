// More than this says nothing: what was meant to be a word is a whole file.
const QUOTE_MAX = 300;
// A path or a URL may be longer than other words.
const WORD_MAX = 500;
const MESSAGE_MAX = 2_000;

/** A text that a message repeats, cut to a length that can be read. */
export const cutQuote = (text: string): string => cut(text, QUOTE_MAX);

/** A message in which no quote and no word is too long to read, whoever wrote them. */
export function cutLong(message: string): string {
  const quotes = message.replaceAll(
    // An apostrophe within a word opens no quote.
    /"[^"]+"|(?<!\w)'[^']+'(?!\w)/g,
    (quote) => quote.charAt(0) + cutQuote(quote.slice(1, -1)) + quote.charAt(0),
  );
  const words = quotes.replaceAll(/\S+/g, (word) => cut(word, WORD_MAX));
  return cut(words, MESSAGE_MAX);
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
