import { stripVTControlCharacters } from 'node:util';
import { choosePager } from '../config/pager.ts';
import type { Host } from '../host.ts';
import type { Output } from '../io.ts';
import type { Pager } from '../pager.ts';
import { type Sink, Unread } from './sink.ts';

/**
 * A terminal on which more than a screen goes through a pager, which is started when the screen is full and not before. Leaving it early
 * is no failure; with `stop`, it also ends what is still being fetched for it.
 */
export function pagedSink(
  host: Pick<Host, 'io' | 'env' | 'pager'>,
  { noPager, stop }: { noPager: boolean; stop: boolean },
): Sink {
  const { stdout } = host.io;
  let held = '';
  let decided = false;
  let pager: Pager | null = null;
  const write = async (text: string | Uint8Array): Promise<void> => {
    if (!pager) return stdout.write(text);
    const read = await pager.write(text);
    if (!read && stop) throw new Unread();
  };
  const release = async (): Promise<void> => {
    const text = held;
    held = '';
    if (text !== '') await write(text);
  };
  const finish = async (): Promise<void> => {
    await release();
    pager?.end();
    await pager?.closed;
  };
  return {
    write: async (text) => {
      if (decided) return write(text);
      held += typeof text === 'string' ? text : Buffer.from(text).toString();
      if (linesOf(held, stdout) < stdout.rows) return;
      decided = true;
      const command = choosePager(host, { noPager });
      pager = command === null ? null : await host.pager(command);
      await release();
    },
    finish,
    // What was printed before a failure is read first; the error is told below it.
    abandon: () => finish().catch(() => undefined),
  };
}

/** How many lines of the terminal a text fills. */
function linesOf(text: string, { columns }: Output): number {
  return stripVTControlCharacters(text)
    .split('\n')
    .slice(0, -1)
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
}
