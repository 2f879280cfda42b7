import type { EventPublish } from '@hubline/contract/types';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors/errors.ts';
import { parseJSON, readText } from '../../input/read-input.ts';

/** Events to publish: a JSON array, or one JSON object per line. The server checks their content. */
export async function readEvents(ctx: Context, source: string): Promise<EventPublish[]> {
  const text = await readText(ctx, source, '--batch');
  if (text.trimStart().startsWith('[')) return parse(text, '--batch') as EventPublish[];
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }));
  const events = lines
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => parse(line, `--batch, line ${number},`) as EventPublish);
  if (events.length === 0)
    throw usageError('--batch contains no events.', 'Give a JSON array of events, or one event per line.');
  return events;
}

function parse(text: string, where: string): unknown {
  try {
    return parseJSON(text);
  } catch (error) {
    throw usageError(
      `${where} is not JSON: ${(error as Error).message}.`,
      'Give a JSON array of events, or one event per line.',
    );
  }
}
