import { QUEUE_PARTS } from '../../../domain/deliveries/queue-part.ts';
import type { Hint } from '../../core/peers.ts';

// PostgreSQL takes less than 8,000 bytes in a message.
const MESSAGE_BYTES = 7_500;
// Beyond this, reading all rows costs less than hearing of each.
const DUE_MAX = 500;

/** Hints with the same key are about the same thing: one of them is enough. */
export function keyOf(hint: Hint): string {
  if (hint.of === 'due') return `${hint.webhookId} ${hint.part}`;
  return hint.of === 'changed' ? hint.id : hint.of;
}

/** Hints as messages: as many lines in each as PostgreSQL takes. */
export function messagesOf(from: string, hints: readonly Hint[]): string[] {
  const isCrowded = hints.filter(({ of }) => of === 'due').length > DUE_MAX;
  const lines = hints.filter(({ of }) => !isCrowded || of !== 'due').map(lineOf);
  if (isCrowded) lines.push('look');
  const messages: string[] = [];
  let message = from;
  for (const line of lines) {
    if (message.length + line.length >= MESSAGE_BYTES) {
      messages.push(message);
      message = from;
    }
    message += `\n${line}`;
  }
  return message === from ? messages : [...messages, message];
}

function lineOf(hint: Hint): string {
  if (hint.of === 'changed') return `changed ${hint.id}`;
  if (hint.of === 'jobs') return 'jobs';
  return `due ${hint.webhookId} ${hint.workspaceId} ${QUEUE_PARTS.indexOf(hint.part)} ${hint.dueAt}`;
}

/** The hint of a line; `undefined` for a line that only asks to read all rows. */
export function hintOf(line: string): Hint | undefined {
  const [of, ...words] = line.split(' ');
  const [id = '', workspaceId = '', part = '', dueAt = ''] = words;
  if (of === 'changed') return { of, id };
  if (of === 'jobs') return { of };
  if (of !== 'due') return undefined;
  return {
    of,
    webhookId: id,
    workspaceId,
    part: QUEUE_PARTS[Number(part)] ?? 'initial',
    dueAt: Number(dueAt),
  };
}
