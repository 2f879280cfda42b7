import { expect, it } from 'vitest';
import { shellArgument, shellWord } from './shell-word.ts';

it.each([
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

it.each([
  ['li@acme.test', 'li@acme.test'],
  ['-x@acme.test', '-- -x@acme.test'],
  ['-x y', "-- '-x y'"],
])('%j is an argument, never a flag', (text, words) => {
  expect(shellArgument(text)).toBe(words);
});
