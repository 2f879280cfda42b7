import { isId } from '@hubline/contract';
import { EVERY, parsePath } from '../conditions/path.ts';

/** One word of a search. An event is found if all of them match. */
export type SearchTerm =
  /** Its ID. */
  | { readonly kind: 'id'; readonly id: string }
  /** A part of its type, of its source, or of a name or text of its summary. */
  | { readonly kind: 'text'; readonly text: string }
  /** A part of its payload, as the JSON is written. */
  | { readonly kind: 'payload'; readonly text: string }
  /** A value of its payload. */
  | { readonly kind: 'value'; readonly path: readonly (string | number)[]; readonly value: string };

const TERMS_MAX = 8;
// A quoted part may hold spaces.
const WORD = /(?:[^\s"]|"(?:[^"\\]|\\.)*"?)+/g;
const VALUE = /^payload((?:\.[^.[\]"=]+|\[(?:\d+|\*|"(?:[^"\\]|\\.)*")\])+)=(.*)$/s;
const PAYLOAD = /^payload:(.+)$/s;

/** Parses a search, such as `deploy payload.environment=production`. If it is refused, returns the rule that it breaks, as a text. */
export function parseSearch(search: string): readonly SearchTerm[] | string {
  const words = search.match(WORD) ?? [];
  if (words.length === 0) return 'must name something to search for';
  if (words.length > TERMS_MAX)
    return `must have at most ${TERMS_MAX} words; put a text with spaces in quotes`;
  const terms: SearchTerm[] = [];
  for (const word of words) {
    const [, path, value = ''] = VALUE.exec(word) ?? [];
    const [, part] = PAYLOAD.exec(word) ?? [];
    if (part !== undefined) {
      // A quote and a backslash are escaped in JSON.
      terms.push({ kind: 'payload', text: JSON.stringify(unquoted(part)).slice(1, -1) });
      continue;
    }
    if (path === undefined) {
      const text = unquoted(word);
      terms.push(isId('event', text) ? { kind: 'id', id: text } : { kind: 'text', text });
      continue;
    }
    const steps = parsePath(`payload${path}`)?.slice(1);
    if (!steps || steps.includes(EVERY)) return 'must name one value, such as payload.labels[0].name=bug';
    terms.push({ kind: 'value', path: steps as readonly (string | number)[], value: unquoted(value) });
  }
  return terms;
}

/** `"two words"` without its quotes. */
function unquoted(word: string): string {
  if (!word.startsWith('"')) return word;
  const end = word.length > 1 && word.endsWith('"') ? -1 : undefined;
  return word.slice(1, end).replaceAll(/\\(.)/g, '$1');
}
