/**
 * Files move and headings are reworded; a reader who meets a dead link stops believing the page. Looks at relative links and at those to
 * our own repository. The README of a published package is also read where the repository is not: its relative links stay inside.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { markdownFiles } from './markdown.ts';
import type { Markdown } from './markdown.ts';
import { report } from './report.ts';
import { REPOSITORY, root, workspacePackages } from './workspace.ts';

/** A file of ours, as the web shows it. */
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
      if (url.startsWith('/')) return [`${path}:${line} "${url}" is not relative, so it works in no clone`];
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

if (import.meta.main) {
  const files = markdownFiles();
  const published = workspacePackages()
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ path }) => relative(root, path));
  report(
    linkProblems(files, (path) => existsSync(join(root, path)), published),
    `Links of ${files.length} pages`,
  );
}
