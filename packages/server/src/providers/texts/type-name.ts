/** A tool's name of an event, in letters that types are made of; `fallback` when nothing of it is left. */
export function typeName(name: string, fallback: string): string {
  const folded = name
    .slice(0, 1_000)
    .replaceAll(/[^\w.:-]+/g, '_')
    .replaceAll(/^[^A-Za-z\d]+|_+$/g, '')
    .slice(0, 100);
  return folded || fallback;
}
