/**
 * Run in a package after its build: a hover in somebody's editor says `Specification, "Limits"` or `docs/decisions/oauth.md`, and both are
 * in our repository only. So every citation in the declarations becomes a link to its rule, its section or its page.
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
