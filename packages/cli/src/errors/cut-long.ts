// More than this says nothing: what was meant to be a word is a whole file.
const QUOTE_MAX = 300;
// A path or a URL may be longer than other words.
const WORD_MAX = 500;
// The end of a message has the cure.
const LINE_MAX = { beginning: 1_500, end: 500 };

/** A text that a message repeats, cut to a length that can be read. */
export const cutQuote = (text: string): string => cut(text, QUOTE_MAX);

/**
 * A message in which no quote and no word is too long to read, whoever wrote them. The lines after the first come from a log, and stay as
 * they are.
 */
export function cutLong(message: string): string {
  const end = message.indexOf('\n');
  return end < 0 ? cutLine(message) : cutLine(message.slice(0, end)) + message.slice(end);
}

function cutLine(line: string): string {
  const quotes = line.replaceAll(
    // An apostrophe within a word opens no quote.
    /"[^"]+"|(?<!\w)'[^']+'(?!\w)/g,
    (quote) => quote.charAt(0) + cutQuote(quote.slice(1, -1)) + quote.charAt(0),
  );
  const words = quotes.replaceAll(/\S+/g, (word) => cut(word, WORD_MAX));
  const { beginning, end } = LINE_MAX;
  return words.length > beginning + end
    ? `${words.slice(0, beginning).toWellFormed()} … ${words.slice(-end).toWellFormed()}`
    : words;
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
