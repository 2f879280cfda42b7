/** A JSON value with the text that it was written as: `1.10` and `12345678901234567890` stay what they are. */
export type JsonNode = JsonLeaf | JsonBranch;

export interface JsonLeaf {
  readonly kind: 'string' | 'number' | 'literal';
  /** As it was written, quotes and escapes included. */
  readonly text: string;
}

export interface JsonBranch {
  readonly kind: 'object' | 'array';
  readonly entries: readonly JsonEntry[];
  /** As it was written, with its spaces. */
  readonly text: string;
}

export interface JsonEntry {
  /** The name in an object; the index in an array. */
  readonly key: string | number;
  readonly value: JsonNode;
}

/** A JSON token after optional spaces: a string, a number, a literal, or punctuation. */
const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)|([a-z]+)|([[\]{},:]))/gy;

/** Reads a text that is valid JSON; `undefined` for any other. */
export function readJson(text: string): JsonNode | undefined {
  try {
    // The browser's own parser decides whether it is JSON, because the reader below is more lenient.
    JSON.parse(text);
    return new Reader(text).value();
  } catch {
    return undefined;
  }
}

class Reader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  value(): JsonNode {
    const [, string, number, word, bracket] = this.next();
    if (string !== undefined) return { kind: 'string', text: string };
    if (number !== undefined) return { kind: 'number', text: number };
    if (word !== undefined) return { kind: 'literal', text: word };
    const begin = this.at - 1;
    const kind = bracket === '{' ? 'object' : 'array';
    const entries = kind === 'object' ? this.members() : this.items();
    return { kind, entries, text: this.text.slice(begin, this.at) };
  }

  private members(): JsonEntry[] {
    const entries: JsonEntry[] = [];
    if (this.skips('}')) return entries;
    do {
      const [, name = '""'] = this.next();
      this.next();
      entries.push({ key: JSON.parse(name) as string, value: this.value() });
    } while (this.next()[4] === ',');
    return entries;
  }

  private items(): JsonEntry[] {
    const entries: JsonEntry[] = [];
    if (this.skips(']')) return entries;
    do entries.push({ key: entries.length, value: this.value() });
    while (this.next()[4] === ',');
    return entries;
  }

  /** Skips the closing bracket of an empty object or array. */
  private skips(bracket: string): boolean {
    const before = this.at;
    if (this.next()[4] === bracket) return true;
    this.at = before;
    return false;
  }

  private next(): RegExpExecArray {
    TOKEN.lastIndex = this.at;
    const match = TOKEN.exec(this.text);
    if (!match) throw new SyntaxError(`No JSON at ${this.at}.`);
    this.at = TOKEN.lastIndex;
    return match;
  }
}

/** The value of a name in an object. */
export const memberOf = (node: JsonNode | undefined, name: string): JsonNode | undefined =>
  node !== undefined && 'entries' in node ? node.entries.find(({ key }) => key === name)?.value : undefined;

/** The same JSON, indented, each value as it was written. */
export function prettyJson(node: JsonNode, indent = ''): string {
  if (!('entries' in node)) return node.text;
  const [open, close] = node.kind === 'object' ? '{}' : '[]';
  if (node.entries.length === 0) return `${open}${close}`;
  const inner = `${indent}  `;
  const lines = node.entries.map(
    ({ key, value }) =>
      inner + (node.kind === 'object' ? `${JSON.stringify(key)}: ` : '') + prettyJson(value, inner),
  );
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

/** The path of a value, in the syntax of programs: `payload.items[2]["odd name"]`. */
export const pathTo = (path: string, key: string | number): string => {
  if (typeof key === 'number') return `${path}[${key}]`;
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path ? `${path}.${key}` : key;
};
