/** Matches a name, a string, a number or a literal; everything else is punctuation. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

/** A line of pretty JSON in colors. */
export function JsonLine({ text }: { text: string }) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [all, string, colon, number] = match;
    if (match.index > end) parts.push(text.slice(end, match.index));
    end = match.index + all.length;
    const kind = string === undefined ? (number === undefined ? 'l' : 'n') : colon === undefined ? 's' : 'k';
    parts.push(
      <span key={end} class={`j-${kind}`}>
        {string ?? all}
      </span>,
    );
    if (colon !== undefined) parts.push(colon);
  }
  parts.push(text.slice(end));
  return <>{parts}</>;
}
