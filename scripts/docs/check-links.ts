/**
 * Files move and headings are reworded, and a reader who meets a dead link stops trusting the page. Checks relative links and those to
 * our own repository. The README of a published package is also read on npm, so its relative links must stay inside the package.
 * A decision must have its four parts, on one screen. A command that a page names must be in the reference.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { markdownFiles } from './markdown.ts';
import type { Markdown } from './markdown.ts';
import { report } from '../report.ts';
import { REPOSITORY, root, workspacePackages } from '../workspace.ts';

/** The URL of our files on GitHub. */
const OURS = `${REPOSITORY}/blob/main/`;

export function linkProblems(
  files: readonly Markdown[],
  exists: (path: string) => boolean,
  published: readonly string[] = [],
): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return files.flatMap(({ path, links }) =>
    links.flatMap(({ url, line }) => {
      const ours = url.startsWith(OURS);
      if (!ours && /^[a-z][a-z0-9+.-]*:/i.test(url)) return [];
      if (url.startsWith('/'))
        return [`${path}:${line} "${url}" is not relative, so it does not work in a clone`];
      const [file = '', anchor] = (ours ? url.slice(OURS.length) : url).split('#');
      const target = file === '' ? path : join(ours ? '' : dirname(path), decodeURI(file));
      const home = published.find((name) => path === `${name}/README.md`);
      if (!ours && home !== undefined && !target.startsWith(`${home}/`))
        return [
          `${path}:${line} "${url}" leaves the package, so it is dead on npm: link to ${OURS}${target}`,
        ];
      if (!exists(target)) return [`${path}:${line} "${url}" names a file that does not exist`];
      const page = byPath.get(target);
      const lost = anchor !== undefined && page !== undefined && !page.anchors.has(anchor);
      return lost ? [`${path}:${line} "${url}" names a heading that ${target} does not have`] : [];
    }),
  );
}

const DECISION = /^docs\/decisions\/(?!README)/;
/** A screen: 50 rows of 120 columns. A longer line takes several rows. */
const SCREEN = { rows: 50, columns: 120 } as const;

/** Problems of a decision: a part that is missing, or more than a screen. */
export function decisionProblems(path: string, text: string): string[] {
  if (!DECISION.test(path)) return [];
  const lines = text.trimEnd().split('\n');
  const rows = lines.reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / SCREEN.columns)), 0);
  const parts = lines.filter((line) => /^(?:Date: \d{4}-\d\d-\d\d$|## )/.test(line));
  const form = parts.map((line) => line.replace(/^(?:## |(Date):.*)/, '$1')).join(', ');
  return [
    ...(form === 'Date, Context, Decision, Consequences'
      ? []
      : [`${path} has the parts "${form}"; it needs Date, Context, Decision, Consequences, in this order`]),
    ...(rows > SCREEN.rows
      ? [`${path} has ${rows} rows of ${SCREEN.columns} columns; cut it to ${SCREEN.rows}`]
      : []),
  ];
}

const COMMAND = /(?:^|[`(]|(?:\||npx|sudo) )hubline ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/gm;

/** The commands in the headings of a page of the reference: `## hubline server start`. */
export const commandsIn = (text: string): string[] =>
  [...text.matchAll(/^## (hubline .+)$/gm)].map(([, command = '']) => command);

/** Problems of the commands that a page names. The word after a command is a verb if the command has verbs, else an argument. */
export function commandProblems(path: string, text: string, commands: ReadonlySet<string>): string[] {
  return [...text.matchAll(COMMAND)].flatMap(({ 1: noun = '', 2: verb, index }) => {
    const command = `hubline ${noun}`;
    const hasVerbs = [...commands].some((known) => known.startsWith(`${command} `));
    const isKnown = hasVerbs
      ? verb === undefined || commands.has(command) || commands.has(`${command} ${verb}`)
      : commands.has(command);
    if (isKnown) return [];
    const line = text.slice(0, index).split('\n').length;
    return [`${path}:${line} names "${command}${verb ? ` ${verb}` : ''}", which is not a command`];
  });
}

if (import.meta.main) {
  const files = markdownFiles();
  const read = ({ path }: Markdown): string => readFileSync(join(root, path), 'utf8');
  const isReference = ({ path }: Markdown): boolean => path.startsWith('docs/reference/cli/');
  const commands = new Set(files.filter(isReference).flatMap((file) => commandsIn(read(file))));
  const published = workspacePackages()
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ path }) => relative(root, path));
  report(
    [
      ...linkProblems(files, (path) => existsSync(join(root, path)), published),
      ...files.flatMap((file) => decisionProblems(file.path, read(file))),
      ...files.flatMap((file) => commandProblems(file.path, read(file), commands)),
    ],
    `Links of ${files.length} pages`,
  );
}
