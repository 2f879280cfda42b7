/** Files move and headings are reworded; a reader who meets a dead link stops believing the page. Relative links only. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { markdownFiles } from './markdown.ts';
import type { Markdown } from './markdown.ts';
import { report } from './report.ts';
import { root } from './workspace.ts';

export function linkProblems(files: readonly Markdown[], exists: (path: string) => boolean): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return files.flatMap(({ path, links }) =>
    links.flatMap(({ url, line }) => {
      if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return [];
      if (url.startsWith('/')) return [`${path}:${line} "${url}" is not relative, so it works in no clone`];
      const [file = '', anchor] = url.split('#');
      const target = file === '' ? path : join(dirname(path), decodeURI(file));
      if (!exists(target)) return [`${path}:${line} "${url}" names a file that does not exist`];
      const page = byPath.get(target);
      const lost = anchor !== undefined && page !== undefined && !page.anchors.has(anchor);
      return lost ? [`${path}:${line} "${url}" names a heading that ${target} does not have`] : [];
    }),
  );
}

if (import.meta.main) {
  const files = markdownFiles();
  report(
    linkProblems(files, (path) => existsSync(join(root, path))),
    `Links of ${files.length} pages`,
  );
}
