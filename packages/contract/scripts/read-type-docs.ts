/** Text that a hover shows of a type, beside its description. */
export interface TypeDoc {
  /** The section of the specification, and what else is worth a sentence; may be empty. */
  readonly note: string;
  /** A fenced block of code. */
  readonly example: string;
}

/** type-docs.md by its headings: `## Name`, a note, a fenced example. */
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
