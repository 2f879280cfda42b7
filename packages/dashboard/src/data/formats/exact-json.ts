/** The source of a value, and a value that is written as its source: in Chrome, Firefox 135 and Safari 18.4. */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;
const { rawJSON } = JSON as { rawJSON?: (source: string) => unknown };

const keepSource: Reviver = (_, value, context) => {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && source !== String(value) && rawJSON
    ? rawJSON(source)
    : value;
};

/** Parses JSON that is to be sent on: it is written again with every digit that it had. */
export const parseExact = (text: string): Record<string, unknown> =>
  JSON.parse(text, keepSource) as Record<string, unknown>;
