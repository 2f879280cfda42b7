// Most events that are published through the API have a summary that is nothing but a text. Its other parts, which are the
// same each time, would be a twelfth of a row of 1 KB. What is stored stays JSON, so that a search can look into it.

const START = '{"action":null,"actor":null,"subject":null,"container":null,"text":';
const END = ',"severity":"none","occurred_at":null}';
// `JSON.stringify` puts no space there: nothing else begins with it.
const TEXT_ALONE = '{ "text":';

/** A summary as its column holds it. */
export const storedSummary = (json: string): string =>
  json.startsWith(START) && json.endsWith(END)
    ? `${TEXT_ALONE}${json.slice(START.length, -END.length)}}`
    : json;

/** The summary that a column holds, as JSON. */
export const summaryOf = (stored: string): string =>
  stored.startsWith(TEXT_ALONE) ? START + stored.slice(TEXT_ALONE.length, -1) + END : stored;
