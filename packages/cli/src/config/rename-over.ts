import { rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const OPEN_MS = 2_000;
const LOOK_MS = 10;

/**
 * Renames a file over another. Windows refuses that while a program has the old one open: another command, a virus scanner or an index.
 * Most have it open only for an instant.
 */
export async function renameOver(from: string, to: string): Promise<void> {
  const deadline = performance.now() + OPEN_MS;
  for (;;) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      const isOpen = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(code);
      if (!isOpen || performance.now() > deadline) throw error;
      await sleep(LOOK_MS);
    }
  }
}
