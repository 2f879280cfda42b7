/**
 * A comment that cites `Specification, "Delivery" 4` sends its reader to docs/specification.md: the section and the rule must be
 * there. Sections get reworded and rules renumbered; a citation that leads nowhere is worse than none. The same holds for one of
 * `docs/decisions/oauth.md`.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slugOf } from '../docs/markdown.ts';
import { report } from '../report.ts';
import { root } from '../workspace.ts';

export const SPECIFICATION = 'docs/specification.md';

/** Section title → its rules: the numbers of its list, and the first cells of its tables. */
export function sectionsOf(markdown: string): Map<string, Set<string>> {
  const sections = new Map<string, Set<string>>();
  let rules = new Set<string>();
  for (const line of markdown.split('\n')) {
    const title = /^#{2,3} (.+)$/.exec(line)?.[1];
    if (title !== undefined) sections.set(title, (rules = new Set()));
    const rule = /^(?:(\d+)\. |\| (\w+) )/.exec(line);
    if (rule) rules.add(rule[1] ?? rule[2] ?? '');
  }
  return sections;
}

/** The gap between two words of a citation, where a comment may break the line. */
const GAP = String.raw`(?:\s+(?:\*\s+|//\s+)?)`;
export const CITATION = new RegExp(`specification,${GAP}"([^"]+)"(?:${GAP}(?:rule${GAP})?(\\d+))?`, 'gi');

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
    const [, cited = '', rule] = match;
    const line = text.slice(0, match.index).split('\n').length;
    const title = titleOf(cited);
    const rules = sections.get(title);
    if (!rules) return [`${path}:${line} cites "${title}", a section that ${SPECIFICATION} does not have`];
    if (rule === undefined || rules.has(rule)) return [];
    return [`${path}:${line} cites rule ${rule} of "${title}", which ${SPECIFICATION} does not have`];
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
  const paths = globSync(['packages/*/{src,test}/**/*.{ts,tsx}', 'scripts/**/*.ts', 'docs/**/*.md', '*.md'], {
    cwd: root,
    exclude: ['**/node_modules/**', 'scripts/*/{check,link}-{citations,links}*', SPECIFICATION],
  });
  const exists = (page: string): boolean => existsSync(join(root, page));
  const problems = paths.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const ofDecisions = /\.tsx?$/.test(path) ? decisionProblems(path, text, exists) : [];
    return [...citationProblems(path, text, sections), ...ofDecisions];
  });
  report(problems, `Citations of the specification and the decisions in ${paths.length} files`);
}
