/**
 * Run in a package after its build: a hover in somebody's editor says `Specification, "Limits"`, and the specification is in our
 * repository only. So every citation in the declarations becomes a link to its section.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CITATION, SPECIFICATION, titleOf } from '../guards/check-citations.ts';
import { slugOf } from './markdown.ts';
import { REPOSITORY } from '../workspace.ts';

/** `Specification, "Limits"` → `[Specification, "Limits"](https://…#limits)`; what follows, such as the rule, stays as it is. */
export const linkCitations = (declarations: string): string =>
  declarations.replaceAll(CITATION, (cited, title: string) => {
    const end = cited.lastIndexOf('"') + 1;
    const url = `${REPOSITORY}/blob/main/${SPECIFICATION}#${slugOf(titleOf(title))}`;
    return `[${cited.slice(0, end)}](${url})${cited.slice(end)}`;
  });

if (import.meta.main) {
  for (const file of globSync('dist/**/*.d.{ts,cts}')) {
    const path = join(process.cwd(), file);
    writeFileSync(path, linkCitations(readFileSync(path, 'utf8')));
  }
}
