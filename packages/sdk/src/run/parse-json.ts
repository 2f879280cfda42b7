/** The value of a JSON text; `undefined`, which JSON cannot say, when it is none. */
export function parseJSON(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
