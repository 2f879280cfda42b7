import { expect, it } from 'vitest';
import { linkProblems } from './check-links.ts';
import { readMarkdown } from './markdown.ts';

const pages = (readme: string): string[] =>
  linkProblems(
    [readMarkdown('README.md', readme), readMarkdown('docs/guide.md', '# The `guide`\n\n<a id="old"></a>\n')],
    (path) => ['README.md', 'docs/guide.md', 'LICENSE'].includes(path),
  );

it.each([
  ['a missing file', '[x](docs/gone.md)', 'does not exist'],
  ['a missing image', '![x](logo.svg)', 'does not exist'],
  ['a missing reference', '[x][y]\n\n[y]: gone.md', 'does not exist'],
  ['a missing heading', '[x](docs/guide.md#nowhere)', 'does not have'],
  ['a missing heading of its own', '[x](#nowhere)', 'does not have'],
  ['a path from the root', '[x](/docs/guide.md)', 'not relative'],
])('refuses %s', (_name, text, message) => {
  expect(pages(text)).toEqual([expect.stringContaining(message)]);
});

it('follows files, headings, explicit ids and its own headings, and leaves the internet alone', () => {
  const links =
    '# Top\n[a](LICENSE) [b](docs/guide.md#the-guide) [c](docs/guide.md#old) [d](#top) [e](https://example.com/x)';
  expect(pages(links)).toEqual([]);
});

it('does not take code for a link', () => {
  expect(pages('`[x](gone.md)`\n\n```md\n[x](gone.md)\n```')).toEqual([]);
});
