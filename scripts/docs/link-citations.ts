/**
 * Turns every citation in the declarations of a package into a link to its rule, its section or its page. An editor shows
 * `Specification, "Limits"` or `docs/decisions/oauth.md` to users, who do not have these pages. Runs in a package after its build.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CITATION, DECISION, SPECIFICATION, anchorOf, titleOf } from '../guards/check-citations.ts';
import { REPOSITORY } from '../workspace.ts';

const BLOB = `${REPOSITORY}/blob/main`;

/** `Specification, "Limits" 1` → `[Specification, "Limits"](https://…#limits-1) 1`; what follows stays as it is. */
export const linkCitations = (declarations: string): string =>
  declarations
    .replaceAll(CITATION, (cited, title: string, rule?: string) => {
      const end = cited.lastIndexOf('"') + 1;
      const url = `${BLOB}/${SPECIFICATION}#${anchorOf(titleOf(title), rule)}`;
      return `[${cited.slice(0, end)}](${url})${cited.slice(end)}`;
    })
    .replaceAll(DECISION, (page) => `[${page}](${BLOB}/${page})`);

if (import.meta.main) {
  for (const file of globSync('dist/**/*.d.{ts,cts}')) {
    const path = join(process.cwd(), file);
    writeFileSync(path, linkCitations(readFileSync(path, 'utf8')));
  }
}
