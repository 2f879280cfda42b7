/** Named things as a choice: ID → name, with the end of the ID where names are alike. */
export function nameChoice(
  things: readonly (readonly [id: string, name: string])[],
): Readonly<Record<string, string>> {
  const counts = new Map<string, number>();
  for (const [, name] of things) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(
    things.map(([id, name]) => [id, counts.get(name) === 1 ? name : `${name} ${shortId(id)}`]),
  );
}

/** The end of an ID, to tell two things with one name apart: IDs begin alike. */
export const shortId = (id: string): string => `…${id.slice(-6)}`;
