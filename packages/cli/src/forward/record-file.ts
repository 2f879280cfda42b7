import { appendFile } from 'node:fs/promises';
import { usageError } from '../errors/errors.ts';
import { fileReason } from '../errors/file-error.ts';
import type { Globals } from '../spec/global-flags.ts';
import type { Outgoing } from './envelope.ts';

/** A line of a recording: enough to make the same call again. */
interface Recorded extends Outgoing {
  /** The time at which it came in. */
  readonly time: string;
}

/** Appends deliveries to a file, one JSON document per line. It is opened at once, so that a path that cannot be written is refused before anything comes. */
export async function openRecorder(
  file: string,
  now: () => number,
  { dryRun }: Pick<Globals, 'dryRun'>,
): Promise<(outgoing: Outgoing) => Promise<void>> {
  const refuse = (error: Error): never => {
    throw usageError(`--record ${file} cannot be written: ${fileReason(error)}.`, 'Choose another path.');
  };
  if (!dryRun) await appendFile(file, '', { mode: 0o600 }).catch(refuse);
  return async ({ id, trigger, type, eventId, body }) => {
    const time = new Date(now()).toISOString();
    const line: Recorded = { time, id, trigger, type, eventId, body };
    await appendFile(file, `${JSON.stringify(line)}\n`, { mode: 0o600 }).catch(refuse);
  };
}

/** Reads a recording back. */
export function parseRecording(text: string, file: string): Recorded[] {
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }));
  return lines
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => {
      const found = parseLine(line);
      if (!found) {
        throw usageError(
          `${file}, line ${number}, is not a recorded delivery.`,
          'Recordings are made with: hubline listen --record <file>',
        );
      }
      return found;
    });
}

function parseLine(line: string): Recorded | undefined {
  try {
    const value = JSON.parse(line) as Partial<Recorded> | null;
    const sound =
      typeof value?.id === 'string' &&
      typeof value.trigger === 'string' &&
      typeof value.body === 'string' &&
      !Number.isNaN(Date.parse(value.time ?? ''));
    return sound
      ? { ...(value as Recorded), type: value.type ?? null, eventId: value.eventId ?? null }
      : undefined;
  } catch {
    return undefined;
  }
}
