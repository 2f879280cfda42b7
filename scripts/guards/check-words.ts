// Words drift: a second name for a thing, a comment that reads as translated. This guard refuses the names that others have replaced,
// British spelling, and comments that open with a question word instead of the thing they explain. Words: docs/glossary.md.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { report } from '../report.ts';
import { root } from '../workspace.ts';
import { REPLACED, REPLACED_NAMES } from './replaced-words.ts';

/** Text that we do not word: generated, sent by others, or history. */
const NOT_OURS =
  /node_modules|\/dist\/|\/generated\/|\/samples\/|\/reference\/|CHANGELOG\.md|check-words|replaced-words/;

const patterns = (replaced: Readonly<Record<string, string>>, before: string) =>
  Object.entries(replaced).map(
    ([pattern, instead]) => [new RegExp(`${before}(?:${pattern})(?![\\w-])`, 'gi'), instead] as const,
  );
const WORDS = patterns(REPLACED, String.raw`(?<![\w/.-])`);
const FIELD = String.raw`\n {2}(?:readonly )?#?(?=(?:tell|learn|news|notice)\w*\??[:(])`; // others may be notes or turns
const NAMES = patterns(REPLACED_NAMES, `(?<=\\b(?:class|interface|type|function|export const) |${FIELD})`);

/** The same code, in which the word `lane` also stands by itself in `laneOf`, `nextLane`, `LANE_MAX` and `lane_id`. */
const split = (code: string): string =>
  code.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z])(?=\d)|(?<=\w)_(?=\w)/g, '·');

/** A comment that opens with one of these asks instead of naming. A `//` line that continues the one above does not count. */
const QUESTION =
  /(?:\/\*\*?\s+(?:\*\s+)?|(?<!\/\/.*\n[\t ]*)(?<![:'"`\w])\/\/ )(What|Where|Who|Whom|Whose|Whether|How|When|Why|Which)\b/g;

/** Problems of one file, each with its line. */
export function wordProblems(path: string, text: string): string[] {
  const at = (index: number, within = text) => `${path}:${within.slice(0, index).split('\n').length}`;
  const find = (refused: typeof WORDS, within: string) =>
    refused.flatMap(([pattern, instead]) =>
      [...within.matchAll(pattern)].map(
        ({ 0: word, index }) => `${at(index, within)} says "${word}"; the word is: ${instead}`,
      ),
    );
  const words = find(WORDS, path.endsWith('.md') ? text : split(text));
  if (path.startsWith('packages/server/src/')) words.push(...find(NAMES, text));
  const openings = [...text.matchAll(QUESTION)].map(
    ({ 0: all, 1: word = '', index }) =>
      `${at(index + all.length)} opens a comment with "${word}"; begin with what the thing is or does`,
  );
  return path.endsWith('.md') ? words : [...words, ...openings];
}

if (import.meta.main) {
  const files = globSync('{*.{md,ts},{packages,scripts,docs,examples}/**/*.{ts,tsx,css,md}}', { cwd: root })
    .filter((path) => !NOT_OURS.test(path))
    .toSorted();
  const problems = files.flatMap((path) => wordProblems(path, readFileSync(join(root, path), 'utf8')));
  report(problems, `Words of ${files.length} files`);
}
