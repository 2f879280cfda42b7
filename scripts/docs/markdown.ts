/** Reads the links, anchors and fenced code of a Markdown file, each with a line number, for the guards. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import GithubSlugger from 'github-slugger';
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { Nodes } from 'mdast';
import { root } from '../workspace.ts';

export interface Markdown {
  readonly path: string;
  readonly links: readonly { readonly url: string; readonly line: number }[];
  /** The anchors of this file: its headings as GitHub spells them, and explicit `id="…"`. */
  readonly anchors: ReadonlySet<string>;
  readonly fences: readonly {
    readonly lang: string;
    readonly meta: string;
    readonly code: string;
    readonly line: number;
  }[];
}

/** Every Markdown file of the project, generated ones excepted. */
export function markdownFiles(): Markdown[] {
  const paths = globSync(
    ['*.md', 'docs/**/*.md', 'examples/**/*.md', 'packages/*/*.md', 'packages/*/docs/**/*.md'],
    {
      cwd: root,
      exclude: ['**/node_modules/**', '**/CHANGELOG.md', 'docs/reference/*.api.md'],
    },
  );
  return paths.toSorted().map((path) => readMarkdown(path, readFileSync(join(root, path), 'utf8')));
}

export function readMarkdown(path: string, text: string): Markdown {
  const slugger = new GithubSlugger();
  const links: { url: string; line: number }[] = [];
  const anchors = new Set<string>();
  const fences: { lang: string; meta: string; code: string; line: number }[] = [];
  const visit = (node: Nodes): void => {
    const line = node.position?.start.line ?? 1;
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition')
      links.push({ url: node.url, line });
    if (node.type === 'heading') anchors.add(slugger.slug(textOf(node)));
    if (node.type === 'html') {
      for (const [, id] of node.value.matchAll(/\bid="([^"]+)"/g)) anchors.add(id ?? '');
      for (const { 1: url = '', index } of node.value.matchAll(/\b(?:href|src|srcset)="([^"\s]+)/g))
        links.push({ url, line: line + node.value.slice(0, index).split('\n').length - 1 });
    }
    // The code starts on the line after the fence.
    if (node.type === 'code')
      fences.push({ lang: node.lang ?? '', meta: node.meta ?? '', code: node.value, line: line + 1 });
    if ('children' in node) node.children.forEach(visit);
  };
  visit(fromMarkdown(text));
  return { path, links, anchors, fences };
}

/** The anchor of a heading whose name is unique on its page. */
export const slugOf = (heading: string): string => new GithubSlugger().slug(heading);

function textOf(node: Nodes): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

/** The fences inside a source file's doc comments: everything else is blanked, so that line numbers stay the same. */
export function docComments(path: string): Markdown {
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  const comments = lines.map((line) => /^\s*(?:\/\*\*|\*(?!\/)) ?(.*)$/.exec(line)?.[1] ?? '');
  return readMarkdown(path, comments.join('\n'));
}
