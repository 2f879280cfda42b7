import type { FaultDetail } from '../faults/fault.ts';
import type { ValueNames } from '../value-names.ts';
import type { Escaping } from './escaping.ts';
import { renderTemplate, templateIssues, type TemplateScope } from './template.ts';

/** JSON whose strings are templates: Slack blocks, Discord embeds, an Adaptive Card. A value fills a text and never adds a field. */
export type RenderedTree = { ok: true; value: unknown } | { ok: false; error: string };

// More than the largest message of any of these tools.
const RENDERED_TREE_MAX = 131_072;

/** The faults of the templates in a JSON value, each with its path: `body.slack_blocks[0].text.text`. */
export function treeFaults(
  value: unknown,
  { path, names }: { path: string; names?: ValueNames },
): FaultDetail[] {
  if (typeof value === 'string') {
    return templateIssues(value, names).map((issue) => ({ field: path, issue }));
  }
  const at = (part: string) => ({ path: path + part, ...(names && { names }) });
  if (Array.isArray(value)) return value.flatMap((item, index) => treeFaults(item, at(`[${index}]`)));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) => treeFaults(member, at(`.${name}`)));
}

/** Fills the templates in a JSON value. `escaping` is given the name of the text's field and the object that it is in. */
export function renderTree(
  tree: unknown,
  scope: TemplateScope,
  escaping: (name: string, parent: object) => Escaping = () => 'none',
): RenderedTree {
  let left = RENDERED_TREE_MAX;
  const fill = (value: unknown, name: string, parent: object): unknown => {
    if (typeof value === 'string') {
      const rendered = renderTemplate(value, scope, escaping(name, parent));
      if (!rendered.ok) throw new TreeError(rendered.error);
      left -= rendered.text.length;
      if (left < 0) throw new TreeError(`the rendered texts have more than ${RENDERED_TREE_MAX} characters`);
      return rendered.text;
    }
    if (Array.isArray(value)) return value.map((item) => fill(item, name, parent));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fill(member, key, value)]));
  };
  try {
    return { ok: true, value: fill(tree, '', {}) };
  } catch (error) {
    if (error instanceof TreeError) return { ok: false, error: error.message };
    throw error;
  }
}

/** Thrown to leave the recursion with a fault. */
class TreeError extends Error {}
