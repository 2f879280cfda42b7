import { nearestName } from './nearest-name.ts';

const LISTED_MAX = 20;

/**
 * The reason why a name is refused, as the end of a sentence that begins with the name. The cure is the known name that was meant, or a
 * list of all known names.
 */
export function unknownName(
  name: string,
  {
    known,
    noun,
  }: {
    known: readonly string[];
    noun: 'field' | 'parameter' | 'value' | 'earlier action' | 'tag' | 'filter';
  },
): string {
  const refusal = `is not a known ${noun}`;
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return `${refusal}; did you mean ${nearest}?`;
  if (known.length === 0) return `${refusal}; leave it out, because none is allowed here`;
  const rest = known.length - LISTED_MAX;
  return `${refusal}; the known ones are ${known.slice(0, LISTED_MAX).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
