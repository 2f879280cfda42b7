// Words drift: a second name for a thing, a comment that reads as translated. This guard refuses the names that others have replaced,
// British spelling, and comments that open with a question word instead of the thing they explain. Words: docs/glossary.md.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { report } from '../report.ts';
import { root } from '../workspace.ts';

/** Text that we do not word: generated, sent by others, or history. */
const NOT_OURS = /node_modules|\/dist\/|\/generated\/|\/samples\/|\/reference\/|CHANGELOG\.md|check-words/;

/** A word that was replaced → the word to use. Only words that mean nothing else here; one after a dot is a method of a library. */
const REPLACED: Readonly<Record<string, string>> = {
  'rosters?': 'scheduler',
  'lanes?': 'webhook queue, or slot',
  'standby|unstand|admissions?': 'prefetch buffer',
  'pacers?': 'rate limiter',
  tenancy: 'access',
  'categor(?:y|ies)': 'type (of an event)',
  'free places?|takes? a place|gives? back the place': 'permit',
  'crash[- ]recovery': 'restart',
  'e-mails?|an? mail(?! (?:server|program|client|scanner))': 'email',
  'log-ins?': 'login, or log in',
  '(?:colo|behavio|neighbo|favo|hono)u(?:rs?|red)': 'one without the u',
  '(?:judg|acknowledg)ements?': 'judgment, acknowledgment',
  '(?:dial|label|model|signal|travel)l(?:ed|ing)': 'one l',
  'catalogues?|centres?|metres?|licences?|defences?': 'catalog, center, meter, license, defense',
  '(?:recogni|normali|seriali|summari|initiali|organi|authori|optimi|minimi|prioriti)s(?:e[ds]?|ing|ation)':
    '-ize, -ization',
  '(?-i:(?:an?|the|its|by|with) ids?)(?= [a-z]|[,.;:])': 'ID',
  '\\d+ %(?= |$|[.,;)])': 'the sign without a space',
  // The API has the value `cancelled` (docs/decisions/ids-time-text.md). A provider may send the other, as a key of a table.
  'cancel(?:ed(?!: )|ing)': 'two l',
};

/** The same for names that the server's code declares: elsewhere, and in prose, these words mean other things. */
const REPLACED_NAMES: Readonly<Record<string, string>> = {
  'emit\\w*': 'fanOut',
  'lines?(?:first|again)?': 'webhook queue; its parts: initial, retry',
  '(?:tell|learn|notice)\\w*|news': 'fire, notify, describe, record, store; occurrence, notification trigger',
  'turns?': 'round robin, or permit',
  'places?|hold': 'permit, limit, address, path or position',
  'hot\\w*|remembered\\w*': 'prepared query, or cached query',
  'notes?': 'request log, or what is stored',
};

const patterns = (replaced: Readonly<Record<string, string>>, before: string) =>
  Object.entries(replaced).map(
    ([pattern, instead]) => [new RegExp(`${before}(?:${pattern})(?![\\w-])`, 'gi'), instead] as const,
  );
const WORDS = patterns(REPLACED, String.raw`(?<![\w/.-])`);
const FIELD = String.raw`\n {2}(?:readonly )?#?(?=(?:tell|learn|news|notice)\w*\??[:(])`; // others may be notes or turns
const NAMES = patterns(REPLACED_NAMES, `(?<=\\b(?:class|interface|type|function|export const) |${FIELD})`);

/** A comment that opens with one of these asks instead of naming. A `//` line that continues the one above does not count. */
const QUESTION =
  /(?:\/\*\*?\s+(?:\*\s+)?|(?<!\/\/.*\n[\t ]*)(?<![:'"`\w])\/\/ )(What|Where|Who|Whom|Whose|Whether|How|When|Why|Which)\b/g;

/** Problems of one file, each with its line. */
export function wordProblems(path: string, text: string): string[] {
  const lineOf = (index: number): number => text.slice(0, index).split('\n').length;
  const refused = path.startsWith('packages/server/src/') ? [...WORDS, ...NAMES] : WORDS;
  const words = refused.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map(
      ({ 0: word, index }) => `${path}:${lineOf(index)} says "${word}"; the word is: ${instead}`,
    ),
  );
  const openings = [...text.matchAll(QUESTION)].map(
    ({ 0: all, 1: word = '', index }) =>
      `${path}:${lineOf(index + all.length)} opens a comment with "${word}"; begin with what the thing is or does`,
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
