import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SPECIFICATION, sectionsOf } from '../guards/check-citations.ts';
import { linkCitations } from './link-citations.ts';
import { readMarkdown } from './markdown.ts';
import { root } from '../workspace.ts';

const PAGE = 'https://github.com/hubline/hubline/blob/main/docs/specification.md';

it('links a citation to its section, and leaves the rule and the rest of the sentence', () => {
  expect(linkCitations('/** The wait. Specification, "Retry rules" 2 and 3. */')).toBe(
    `/** The wait. [Specification, "Retry rules"](${PAGE}#retry-rules) 2 and 3. */`,
  );
});

it('links a citation that the comment breaks', () => {
  expect(linkCitations(' * Specification,\n   * "Pagination\n   * object".')).toBe(
    ` * [Specification,\n   * "Pagination\n   * object"](${PAGE}#pagination-object).`,
  );
});

it('names an anchor that the page has, for every section', () => {
  const text = readFileSync(join(root, SPECIFICATION), 'utf8');
  const { anchors } = readMarkdown(SPECIFICATION, text);
  for (const title of sectionsOf(text).keys()) {
    const [, anchor] = /#([^)]*)\)/.exec(linkCitations(`Specification, "${title}"`)) ?? [];
    expect(anchors).toContain(anchor);
  }
});
