/** Text that a hover shows for a type, in addition to its description. */
export interface TypeDoc {
  /** The section of the specification, and any other remark; may be empty. */
  readonly note: string;
  /** A fenced block of code. */
  readonly example: string;
}

/** Reads type-docs.md by its headings: `## Name`, a note, a fenced example. */
export function readTypeDocs(markdown: string): Map<string, TypeDoc> {
  const [, ...sections] = markdown.split(/^## /m);
  return new Map(
    sections.map((section) => {
      const match = /^(\w+)\n([^]*?)(```ts\n[^]*?\n```)\s*$/.exec(section);
      const [, name = '', note = '', example = ''] = match ?? [];
      if (!match) throw new Error(`type-docs.md: not a heading, a note and an example: ## ${section}`);
      return [name, { note: note.trim().replaceAll('\n', ' '), example }];
    }),
  );
}
