/**
 * A comment that cites `Specification, "Delivery" 4` sends its reader to docs/specification.md: the section and the rule must be
 * there, and a section with rules is cited by their numbers. Sections get reworded and rules renumbered; a citation that leads
 * nowhere is worse than none. The same holds for one of `docs/decisions/oauth.md`.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slugOf } from '../docs/markdown.ts';
import { report } from '../report.ts';
import { root } from '../workspace.ts';

export const SPECIFICATION = 'docs/specification.md';

interface Section {
  /** The numbers of its rules, in a list or in the first column of a table. */
  readonly rules: Set<string>;
  /** It shows a record, field by field: cited without a number, it stands for the record. */
  hasFields: boolean;
}

/** The sections by title. */
export function sectionsOf(markdown: string): Map<string, Section> {
  const sections = new Map<string, Section>();
  let section: Section = { rules: new Set(), hasFields: false };
  for (const line of markdown.split('\n')) {
    const title = /^#{2,3} (.+)$/.exec(line)?.[1];
    if (title !== undefined) sections.set(title, (section = { rules: new Set(), hasFields: false }));
    const rule = /^(?:(\d+)\. |\| (\d+) )/.exec(line);
    if (rule) section.rules.add(rule[1] ?? rule[2] ?? '');
    if (line.startsWith('| field ')) section.hasFields = true;
  }
  return sections;
}

/** The gap between two words of a citation, where a comment may break the line. */
const GAP = String.raw`(?:\s+(?:\*\s+|//\s+)?)`;
const RULE = String.raw`${GAP}(\d+)`;
/** The title, its first rule, and the last one of `1 to 3` or `1 and 3`. */
export const CITATION = new RegExp(
  `specification,${GAP}"([^"]+)"(?:${RULE}(?:${GAP}(?:to|and)${RULE})?)?`,
  'gi',
);

/** A page of the decisions in a comment; in Markdown it is a relative link, which check-links.ts follows. */
export const DECISION = /(?<![\w/[])docs\/decisions\/[\w-]+\.md/g;

/** The anchor of a section, or of one of its rules. */
export const anchorOf = (title: string, rule?: string): string =>
  rule === undefined ? slugOf(title) : `${slugOf(title)}-${rule}`;

/** The title of a section, however the comment breaks it. */
export const titleOf = (cited: string): string => cited.replaceAll(new RegExp(GAP, 'g'), ' ');

export function citationProblems(
  path: string,
  text: string,
  sections: ReturnType<typeof sectionsOf>,
): string[] {
  return [...text.matchAll(CITATION)].flatMap((match) => {
    const [, cited = '', first, last = first] = match;
    const at = `${path}:${text.slice(0, match.index).split('\n').length} cites`;
    const title = titleOf(cited);
    const section = sections.get(title);
    if (!section) return [`${at} "${title}", a section that ${SPECIFICATION} does not have`];
    const { rules, hasFields } = section;
    if (first === undefined)
      return rules.size === 0 || hasFields ? [] : [`${at} "${title}" without the number of a rule`];
    return [...new Set([first, last])].flatMap((rule = '') =>
      rules.has(rule) ? [] : [`${at} rule ${rule} of "${title}", which ${SPECIFICATION} does not have`],
    );
  });
}

export const decisionProblems = (path: string, text: string, exists: (page: string) => boolean): string[] =>
  [...text.matchAll(DECISION)].flatMap(({ 0: page, index }) =>
    exists(page)
      ? []
      : [`${path}:${text.slice(0, index).split('\n').length} cites ${page}, which does not exist`],
  );

if (import.meta.main) {
  const sections = sectionsOf(readFileSync(join(root, SPECIFICATION), 'utf8'));
  const paths = globSync(
    [
      'packages/*/{src,test,scripts}/**/*.{ts,tsx,md}',
      'packages/*/*.{ts,md}',
      '{scripts,examples}/**/*.{ts,yml,md}',
      '.github/**/*.yml',
      'docs/**/*.md',
      '*.{ts,md}',
    ],
    {
      cwd: root,
      exclude: ['**/node_modules/**', 'scripts/*/{check,link}-{citations,links}*', SPECIFICATION],
    },
  );
  const exists = (page: string): boolean => existsSync(join(root, page));
  const problems = paths.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const ofDecisions = /\.(?:tsx?|yml)$/.test(path) ? decisionProblems(path, text, exists) : [];
    return [...citationProblems(path, text, sections), ...ofDecisions];
  });
  report(problems, `Citations of the specification and the decisions in ${paths.length} files`);
}
