/** A string, a bracket, a comma, a colon, or a number or word. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/**
 * The source text of a member of a JSON object, byte for byte: parsing and printing would change numbers beyond 2^53, `1.0` and
 * repeated keys. The text must be valid JSON; of a repeated name, the last counts, as in `JSON.parse`.
 */
export function memberText(json: string, name: string): string | undefined {
  let depth = 0;
  let key: string | undefined;
  let start = -1;
  let found: string | undefined;
  let previous = '';
  let end = 0;
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    if (depth === 1 && (token === ',' || token === '}')) {
      if (key === name && start >= 0) found = json.slice(start, end);
      start = -1;
    } else if (depth === 1 && token === ':' && start === -1) {
      key = JSON.parse(previous) as string;
      // The value begins with the next token.
      start = -2;
    } else if (start === -2) {
      start = index;
    }
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    previous = token;
    end = index + token.length;
  }
  return found;
}
