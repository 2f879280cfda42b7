import { TEXT_ALONE } from '../../domain/events/summary/summary.ts';

// Most events that are published through the API have a summary that is only a text. Its other parts, which are always the same, would be a
// twelfth of a row of 1 KB. The stored text is still JSON, so that a search can look into it.

const { start: START, end: END } = TEXT_ALONE;
// `JSON.stringify` writes no space there, so no other summary begins with this.
const ALONE = '{ "text":';

/** A summary as its column holds it. */
export const storedSummary = (json: string): string =>
  json.startsWith(START) && json.endsWith(END) ? `${ALONE}${json.slice(START.length, -END.length)}}` : json;

/** The summary that a column holds, as JSON. */
export const summaryOf = (stored: string): string =>
  stored.startsWith(ALONE) ? START + stored.slice(ALONE.length, -1) + END : stored;
