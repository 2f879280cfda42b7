/**
 * The source text of a member: `memberText(text, ['events', 3, 'payload'])`. `undefined` where there is none. The text
 * must be valid JSON; of a repeated key, the last counts, as in `JSON.parse`.
 */
export function memberText(text: string, path: readonly (string | number)[]): string | undefined {
  let start = skipSpace(text, 0);
  let end = endOfValue(text, start);
  for (const step of path) {
    const found = typeof step === 'number' ? elementAt(text, start, step) : memberAt(text, start, step);
    if (!found) return undefined;
    [start, end] = found;
  }
  return text.slice(start, end);
}

/** The source texts of an array's elements, in one pass. */
export function elementTexts(text: string): string[] {
  const elements: string[] = [];
  let index = skipSpace(text, skipSpace(text, 0) + 1);
  while (text[index] !== ']') {
    const end = endOfValue(text, index);
    elements.push(text.slice(index, end));
    index = skipSpace(text, end);
    if (text[index] === ',') index = skipSpace(text, index + 1);
  }
  return elements;
}

function memberAt(text: string, start: number, name: string): [number, number] | undefined {
  if (text[start] !== '{') return undefined;
  let found: [number, number] | undefined;
  let index = skipSpace(text, start + 1);
  while (text[index] !== '}') {
    const keyEnd = endOfString(text, index) + 1;
    const key = JSON.parse(text.slice(index, keyEnd)) as string;
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const valueEnd = endOfValue(text, valueStart);
    if (key === name) found = [valueStart, valueEnd];
    index = skipSpace(text, valueEnd);
    if (text[index] === ',') index = skipSpace(text, index + 1);
  }
  return found;
}

function elementAt(text: string, start: number, position: number): [number, number] | undefined {
  if (text[start] !== '[') return undefined;
  let index = skipSpace(text, start + 1);
  for (let count = 0; text[index] !== ']'; count++) {
    const end = endOfValue(text, index);
    if (count === position) return [index, end];
    index = skipSpace(text, end);
    if (text[index] === ',') index = skipSpace(text, index + 1);
  }
  return undefined;
}

/** The position after the value that begins at `start`. The text must be valid JSON. */
export function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === 0x22) return endOfString(text, start) + 1;
  if (first !== 0x7b && first !== 0x5b) {
    let index = start;
    while (index < text.length && !endsScalar(text.charCodeAt(index))) index += 1;
    return index;
  }
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) index = endOfString(text, index);
    else if (code === 0x7b || code === 0x5b) depth += 1;
    else if ((code === 0x7d || code === 0x5d) && --depth === 0) return index + 1;
  }
  return text.length;
}

/** A comma, a closing bracket or space. */
const endsScalar = (code: number): boolean => code === 0x2c || code === 0x5d || code === 0x7d || code <= 0x20;

/** The position of the closing quote of the string that begins at `start`; the length of the text if there is none. */
export function endOfString(text: string, start: number): number {
  let index = text.indexOf('"', start + 1);
  while (index !== -1) {
    let slashes = 0;
    while (text.charCodeAt(index - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return index;
    index = text.indexOf('"', index + 1);
  }
  return text.length;
}

/** The position of the next token. */
export function skipSpace(text: string, start: number): number {
  let index = start;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
    index += 1;
  }
  return index;
}
