import { expect, it } from 'vitest';
import { commandProblems, commandsIn, decisionProblems, linkProblems } from './check-links.ts';
import { readMarkdown } from './markdown.ts';

const pages = (readme: string): string[] =>
  linkProblems(
    [readMarkdown('README.md', readme), readMarkdown('docs/guide.md', '# The `guide`\n\n<a id="old"></a>\n')],
    (path) => ['README.md', 'docs/guide.md', 'LICENSE'].includes(path),
  );

it.each([
  ['a missing file', '[x](docs/gone.md)', 'does not exist'],
  ['a missing image', '![x](logo.svg)', 'does not exist'],
  ['a missing image of HTML', '<picture>\n  <source srcset="dark.png">\n</picture>', 'README.md:2 '],
  ['a missing page of HTML', 'See <a href="docs/gone.md">x</a>', 'does not exist'],
  ['a missing reference', '[x][y]\n\n[y]: gone.md', 'does not exist'],
  ['a missing heading', '[x](docs/guide.md#nowhere)', 'does not have'],
  ['a missing heading on the same page', '[x](#nowhere)', 'does not have'],
  ['a path from the root', '[x](/docs/guide.md)', 'not relative'],
])('refuses %s', (_name, text, message) => {
  expect(pages(text)).toEqual([expect.stringContaining(message)]);
});

it('follows files, headings, explicit IDs and its own headings, and leaves the internet alone', () => {
  const links =
    '# Top\n[a](LICENSE) [b](docs/guide.md#the-guide) [c](docs/guide.md#old) [d](#top) [e](https://example.com/x)';
  expect(pages(links)).toEqual([]);
});

it('does not take code for a link', () => {
  expect(pages('`[x](gone.md)`\n\n```md\n[x](gone.md)\n```')).toEqual([]);
});

it.each([
  ['the internet', '[x](https://example.com/x)', []],
  ['its own file', '[x](man/x.1)', []],
  ['a file outside of it', '[x](../../docs/guide.md)', ['leaves the package']],
  ['our repository', '[x](https://github.com/hubline/hubline/blob/main/docs/guide.md#old)', []],
  [
    'a lost file of our repository',
    '[x](https://github.com/hubline/hubline/blob/main/docs/gone.md)',
    ['not exist'],
  ],
])('lets the README of a package link to what npm shows: %s', (_name, text, problems) => {
  const files = [
    readMarkdown('packages/sdk/README.md', text),
    readMarkdown('docs/guide.md', '<a id="old"></a>'),
  ];
  const exists = (path: string) => ['docs/guide.md', 'packages/sdk/man/x.1'].includes(path);
  expect(linkProblems(files, exists, ['packages/sdk'])).toEqual(
    problems.map((text) => expect.stringContaining(text)),
  );
});

const DECISION = '# X\n\nDate: 2026-11-20\n\n## Context\n\nC\n\n## Decision\n\nD\n\n## Consequences\n\nE\n';

it('accepts a decision with its four parts, and leaves other pages alone', () => {
  expect(decisionProblems('docs/decisions/x.md', DECISION)).toEqual([]);
  expect(decisionProblems('docs/decisions/README.md', '# Decisions')).toEqual([]);
  expect(decisionProblems('docs/guides/x.md', '# X')).toEqual([]);
});

it.each([
  ['without a date', DECISION.replace('Date: 2026-11-20', ''), 'needs Date'],
  ['with a date that is not one', DECISION.replace('2026-11-20', 'last week'), 'needs Date'],
  ['without consequences', DECISION.replace('## Consequences', ''), 'needs Date'],
  ['in another order', DECISION.replace('## Context', '## Decision'), 'needs Date'],
  ['with a further part', `${DECISION}## How\n`, 'needs Date'],
  ['longer than a screen', DECISION + 'x\n'.repeat(50), 'cut it to 50'],
  ['longer than a screen once its lines are wrapped', `${DECISION}${'x'.repeat(50 * 120)}\n`, 'cut it to 50'],
])('refuses a decision %s', (_name, text, message) => {
  expect(decisionProblems('docs/decisions/x.md', text)).toEqual([expect.stringContaining(message)]);
});

const COMMANDS = new Set(
  commandsIn(
    '# hubline server\n\n## hubline server start\n\n## hubline trigger\n\n## hubline trigger list\n',
  ),
);

it.each([
  '`hubline server start --seed`',
  'hubline trigger push',
  'see `hubline trigger list`',
  'the hubline command',
])('accepts commands that exist: %s', (text) => expect(commandProblems('x.md', text, COMMANDS)).toEqual([]));

it.each([
  '`hubline server run`',
  'cat x | hubline serve',
  '```sh\nhubline server go\n```',
  '```sh\nnpx hubline server go\n```',
  '`sudo hubline server go`',
])('refuses commands that do not: %s', (text) =>
  expect(commandProblems('x.md', text, COMMANDS)).toEqual([expect.stringContaining('not a command')]),
);
