/** The value of a JSON text; `undefined`, which JSON cannot say, when it is none. */
export function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
