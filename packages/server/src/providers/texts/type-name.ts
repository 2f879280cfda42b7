/** Makes an event type of a tool's own name, from the characters that types may have; `fallback` when none are left. */
export function typeName(name: string, fallback: string): string {
  const folded = name
    .slice(0, 1_000)
    .replaceAll(/[^\w.:-]+/g, '_')
    .replaceAll(/^[^A-Za-z\d]+|_+$/g, '')
    .slice(0, 100);
  return folded || fallback;
}
