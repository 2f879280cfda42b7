/**
 * Turns a tool's own name into an event type, with only the characters that types may have; `fallback` if none are
 * left.
 */
export function typeName(name: string, fallback: string): string {
  const folded = name
    .slice(0, 1_000)
    .replaceAll(/[^\w.:-]+/g, '_')
    .replaceAll(/^[^A-Za-z\d]+|_+$/g, '')
    .slice(0, 100);
  return folded || fallback;
}
