import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { topics } from '../src/commands/help/topics.ts';
import { nouns } from '../src/commands/registry.ts';
import { parse } from '../src/parser/parse.ts';
import { commandLines } from '../src/test/command-lines.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The code blocks of a page that a shell would run. */
const shellBlocks = (page: string): string =>
  [...page.matchAll(/^```(?:sh|console)\n(.*?)^```/gms)].map(([, block = '']) => block).join('\n');

/** The command lines of a text: after a prompt, indented, or bare, with the lines that a backslash or a pipe continues. */
const linesOf = (text: string): string[] =>
  text
    .replaceAll(/\\\n\s*|\|\n\s*/g, (end) => (end.startsWith('|') ? '| ' : ''))
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\$ )?/, ''))
    .filter((line) => /(?:^|\| )hubline /.test(line));

/** Text that shows commands has them indented. */
const indented = (text: string): string => text.replaceAll(/^\S.*$/gm, '');

const lines = [
  ['README.md', shellBlocks(read('README.md'))],
  ['packages/cli/README.md', shellBlocks(read('packages/cli/README.md'))],
  ...topics.map(({ name, text }) => [`hubline help ${name}`, indented(text)] as const),
].flatMap(([page, text]) => linesOf(text).map((line) => [page, line] as const));

it('package.json names every man page, because npm links only those', () => {
  const { man } = JSON.parse(read('packages/cli/package.json')) as { man: string[] };
  const pages = readdirSync(join(root, 'packages/cli/man')).map((name) => `./man/${name}`);
  expect(man.toSorted()).toEqual(pages.toSorted());
});

describe('what is to be typed', () => {
  it.each(lines)('according to %s parses: %s', async (_, line) => {
    const found = commandLines(line);
    expect(found).not.toEqual([]);
    for (const words of found) {
      expect(await parse(words, { nouns, now: Date.now(), width: 80 })).toHaveProperty('command.path');
    }
  });
});
