import { firstText } from '../../domain/events/reading.ts';
import { readPointer } from '../../domain/json/json-pointer.ts';
import { oneLine } from '../../domain/events/summary/summary.ts';

const TEXTS = ['/text', '/text/text', '/title', '/pretext', '/fallback', '/alt_text'];
const MAX_NODES = 500;

/** The first words in blocks or attachments, in reading order: sections, headers, rich text and fields nest differently. */
export function nestedText(message: unknown): string | null {
  const queue: unknown[] = [
    ...list(readPointer(message, '/attachments')),
    ...list(readPointer(message, '/blocks')),
  ].toReversed();
  for (let count = 0; queue.length > 0 && count < MAX_NODES; count += 1) {
    const node = queue.pop();
    const text = firstText(node, TEXTS);
    if (text !== null) return text;
    const nested = ['/elements', '/fields', '/blocks'].flatMap((pointer) => list(readPointer(node, pointer)));
    for (const child of nested.slice(0, MAX_NODES).toReversed()) queue.push(child);
  }
  return null;
}

/** A list in a payload; empty for everything else. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Reads mrkdwn: `<https://example.com|label>`, `<!here>`, and three escaped characters. */
export function plain(text: string): string {
  const unlinked = text.replaceAll(
    /<([^<>|]*)(?:\|([^<>]*))?>/g,
    (_, target: string, label?: string) => label ?? target,
  );
  return oneLine(unlinked.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'));
}
