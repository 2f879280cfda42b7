import { isJsonObject } from '../wire/json-body.ts';

/** A text in the Atlassian Document Format, the only format that version 3 of Jira's API takes. */
export function toAdf(text: string): object {
  const paragraphs = text
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n{2,}/);
  return {
    type: 'doc',
    version: 1,
    content: paragraphs.map((lines) => ({ type: 'paragraph', content: lineNodes(lines.split('\n')) })),
  };
}

// Jira allows no empty text node.
function lineNodes(lines: readonly string[]): object[] {
  return lines.flatMap((line, index) => [
    ...(index === 0 ? [] : [{ type: 'hardBreak' }]),
    ...(line === '' ? [] : [{ type: 'text', text: line }]),
  ]);
}

const MAX_NODES = 500;

/** The words of a text that Jira sends, as a document or in its older markup; `null` for anything else. */
export function plainText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const words: string[] = [];
  const queue: unknown[] = [value];
  for (let count = 0; queue.length > 0 && count < MAX_NODES; count += 1) {
    const node = queue.pop();
    if (!isJsonObject(node)) continue;
    if (typeof node['text'] === 'string') words.push(node['text']);
    const content = Array.isArray(node['content']) ? (node['content'] as unknown[]) : [];
    for (const child of content.slice(0, MAX_NODES).toReversed()) queue.push(child);
  }
  return words.length === 0 ? null : words.join(' ');
}
