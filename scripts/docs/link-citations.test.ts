import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SPECIFICATION, anchorOf, sectionsOf } from '../guards/check-citations.ts';
import { linkCitations } from './link-citations.ts';
import { readMarkdown } from './markdown.ts';
import { root } from '../workspace.ts';

const MAIN = 'https://github.com/hubline/hubline/blob/main';
const PAGE = `${MAIN}/docs/specification.md`;

it('links a citation to its rule, and leaves the rest of the sentence', () => {
  expect(linkCitations('/** The wait. Specification, "Retry rules" 2 and 3. */')).toBe(
    `/** The wait. [Specification, "Retry rules"](${PAGE}#retry-rules-2) 2 and 3. */`,
  );
});

it('links a citation that the comment breaks', () => {
  expect(linkCitations(' * Specification,\n   * "Pagination\n   * object".')).toBe(
    ` * [Specification,\n   * "Pagination\n   * object"](${PAGE}#pagination-object).`,
  );
});

it('links a decision to its page', () => {
  const page = 'docs/decisions/oauth.md';
  expect(linkCitations(`/** See ${page}. */`)).toBe(`/** See [${page}](${MAIN}/${page}). */`);
});

it('names an anchor that the page has, for every section and rule', () => {
  const text = readFileSync(join(root, SPECIFICATION), 'utf8');
  const { anchors } = readMarkdown(SPECIFICATION, text);
  for (const [title, { rules }] of sectionsOf(text)) {
    expect(anchors).toContain(anchorOf(title));
    for (const rule of rules) expect(anchors).toContain(anchorOf(title, rule));
  }
});
