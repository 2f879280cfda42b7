import { stripVTControlCharacters } from 'node:util';
import type { Output } from './io.ts';

// C0 and C1 controls, DEL, and the characters that reorder or hide text (Trojan Source, CVE-2021-42574).
const UNSAFE = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

const NAMES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const codeOf = (character: string): string => (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');

/** Text from outside, safe on a terminal and on one line: characters that would act or hide are shown as escapes. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (character) => NAMES[character] ?? `\\u${codeOf(character)}`);
}

/** The same for text of several lines, such as JSON: its line breaks, tabs and indents stay. */
export function visibleLines(text: string): string {
  return text.replace(UNSAFE, (character) =>
    character === '\n' || character === '\t' ? character : `\\u${codeOf(character)}`,
  );
}

/** The same for a document with line ends of any kind, or a piece of one. */
export function visibleDocument(text: string): string {
  return visibleLines(text.replace(/\r(?=\n|$)/g, ''));
}

/** A color of `createStyle`, behind its escape character. */
const COLOR = /^\[(?:[12]|22|3[1239]|38;5;136)m/;

/** The same for a message with our own colors in it. */
export function visibleMessage(text: string): string {
  const parts = text.split('\u001b').map(visibleLines);
  return parts.reduce((before, part) => `${before}${COLOR.test(part) ? '\u001b' : '\\u001b'}${part}`);
}

/** Text as one cell of tab-separated output: whatever it contains, a row stays a row. */
export function cell(text: string): string {
  return text.replace(/[\\\t\r\n]/g, (character) => (character === '\\' ? '\\\\' : (NAMES[character] ?? '')));
}

/** A value with every string in it safe on a terminal. */
export function visibleDeep(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map(visibleDeep);
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, visibleDeep(entry)]));
}

/** Writes a value as a line of JSON. On a terminal, characters that would act on it are escaped. */
export function writeJson(to: Output, value: unknown): Promise<void> {
  const text = JSON.stringify(value);
  return to.write(`${to.isTTY ? visibleLines(text) : text}\n`);
}

/** Breaks words into lines of at most `width`; a longer word has its own line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').filter(Boolean)) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length === 0 || longer.length > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** Lines that are too wide, broken between words. Indented lines are laid out already, and colors have no width. */
export function breakLines(text: string, width: number): string {
  if (width === Infinity) return text;
  const fits = (line: string): boolean => stripVTControlCharacters(line.trimEnd()).length <= width;
  const broken = text.split('\n').flatMap((line) => {
    if (fits(line) || line.startsWith(' ')) return line;
    return line.split(/(?<= )/).reduce<string[]>((lines, word) => {
      const longer = `${lines.at(-1) ?? ''}${word}`;
      return lines.length > 0 && fits(longer) ? [...lines.slice(0, -1), longer] : [...lines, word];
    }, []);
  });
  return broken.map((line) => line.trimEnd()).join('\n');
}
