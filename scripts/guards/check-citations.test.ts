import { expect, it } from 'vitest';
import { citationProblems, decisionProblems, sectionsOf } from './check-citations.ts';

const sections = sectionsOf(
  '## Errors\n\n### Delivery\n\n1. First.\n2. Second.\n\n### Status codes\n\n| 422 | x |\n\n### Webhook\n\n| field | x |\n\n1. First.\n',
);
const problems = (text: string) => citationProblems('a.ts', text, sections);

it.each([
  ['a section without rules', '// Specification, "Errors".'],
  ['a record', '// Specification, "Webhook".'],
  ['several rules', '// Specification, "Delivery" 1 and 2, or "Delivery" 1 to 2.'],
  ['a rule of a list', '// Specification, "Delivery" 2.'],
  ['a row of a table', '// Specification, "Status codes" 422.'],
  ['a citation over two lines', ' * says so (specification,\n * "Status\n * codes" 422).'],
])('accepts %s', (_name, text) => {
  expect(problems(text)).toEqual([]);
});

it.each([
  ['a section that is not there', '\n// Specification, "Deliveries".', 'a.ts:2 cites "Deliveries"'],
  ['a rule that is not there', '// Specification, "Delivery" 3.', 'cites rule 3 of "Delivery"'],
  ['a last rule that is not there', '// Specification, "Delivery" 1 to 3.', 'cites rule 3 of "Delivery"'],
  ['a rule of a section without rules', '// Specification, "Errors" 1.', 'cites rule 1 of "Errors"'],
  ['a section instead of its rules', '// Specification, "Delivery".', '"Delivery" without the number'],
])('refuses %s', (_name, text, message) => {
  expect(problems(text)).toEqual([expect.stringContaining(message)]);
});

it('refuses a decision that is not there', () => {
  const text = '// See docs/decisions/oauth.md.\n// See docs/decisions/lost.md.';
  const exists = (page: string) => page === 'docs/decisions/oauth.md';
  expect(decisionProblems('a.ts', text, exists)).toEqual([
    'a.ts:2 cites docs/decisions/lost.md, which does not exist',
  ]);
});
