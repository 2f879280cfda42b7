/** `context.source` and `JSON.rawJSON` keep a number as it was written. Chrome, Firefox 135 and Safari 18.4 have them. */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;
const { rawJSON } = JSON as { rawJSON?: (source: string) => unknown };

const keepSource: Reviver = (_, value, context) => {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && source !== String(value) && rawJSON
    ? rawJSON(source)
    : value;
};

/** Parses JSON that is serialized again, to be sent or shown: its numbers keep every digit. */
export const parseExact = (text: string): Record<string, unknown> =>
  JSON.parse(text, keepSource) as Record<string, unknown>;
