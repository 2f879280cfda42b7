import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/** Replaces a file as a whole, readable for its owner only: after a crash there is the old one or the new one, never a half. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  // `wx` is O_EXCL: it fails rather than write through a link that somebody placed there.
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
    await handle.close();
    await rename(temporary, file);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
}
