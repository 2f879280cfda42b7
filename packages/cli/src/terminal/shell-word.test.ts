import { expect, it } from 'vitest';
import { scripts } from '../complete/scripts.ts';
import { POWERSHELL_QUOTE, powershellWord, shellArgument, shellWord, windowsWord } from './shell-word.ts';

it.skipIf(process.platform === 'win32').each([
  ['/srv/hubline', '/srv/hubline'],
  ['', "''"],
  ['a b', "'a b'"],
  ["it's", String.raw`'it'\''s'`],
  ['$HOME', "'$HOME'"],
])('%j is one word of a command line', (text, word) => {
  expect(shellWord(text)).toBe(word);
});

it.skipIf(process.platform === 'win32')('a backslash, which a shell would take away, is quoted', () => {
  expect(shellWord(String.raw`a\b`)).toBe(String.raw`'a\b'`);
});

// cmd passes single quotes on as they are, and divides what is between them.
// A program reads a backslash before a quote as part of it.
it.each([
  [String.raw`C:\my data`, String.raw`"C:\my data"`],
  ['C:\\my data\\', String.raw`"C:\my data\\"`],
  ["it's", `"it's"`],
  ['$HOME', "'$HOME'"],
  ['a "b"', `'a "b"'`],
  ['a `n', "'a `n'"],
  ['\u201Ca\u201D', "'\u201Ca\u201D'"],
])('%j is one word of cmd, or of PowerShell where cmd has none', (text, word) => {
  expect(windowsWord(text)).toBe(word);
});

it.each([
  ['li@acme.test', 'li@acme.test'],
  ['-x@acme.test', '-- -x@acme.test'],
  ['-x y', "-- '-x y'"],
])('%j is an argument, never a flag', (text, words) => {
  expect(shellArgument(text)).toBe(words);
});

/** Reads a string in single quotes as the tokenizer of PowerShell does: each of five characters ends it, or two of them stand for the second. */
function read(text: string): string {
  const quotes = ["'", '\u2018', '\u2019', '\u201A', '\u201B'];
  const [open = '', ...rest] = text;
  expect(quotes).toContain(open);
  let value = '';
  while (rest.length > 0) {
    const character = rest.shift() ?? '';
    if (quotes.includes(character) && !quotes.includes(rest[0] ?? '')) break;
    value += quotes.includes(character) ? rest.shift() : character;
  }
  expect(rest, 'nothing follows the string').toEqual([]);
  return value;
}

it.each([
  'plain',
  "it's",
  'Ana\u2019s',
  '\u2018; exit; \u2019',
  "'\u2018\u2019\u201A\u201B'",
  '$(exit) `n "a"',
])('%j is one word of PowerShell', (text) => {
  expect(read(powershellWord(text))).toBe(text);
});

it('the completion script doubles the same quotes in the words that it inserts', () => {
  expect(scripts.powershell).toContain(`$word -replace "${POWERSHELL_QUOTE}", '$0$0'`);
});

it('the completion scripts are ASCII: a shell may read a file in another encoding', () => {
  for (const script of Object.values(scripts)) expect(script).toMatch(/^[\n\x20-\x7E]*$/);
});
