import { chmod, chown, constants, copyFile, link, rename, rm, stat } from 'node:fs/promises';
import { explained } from './fetch-program.ts';

/** The name under which the former program is kept. */
export const previousOf = (path: string): string => `${path}.previous`;

/**
 * Puts a program into the place of another, which is kept as `.previous`. On Unix, the name always has a program: the old one or the new
 * one, with its owner and mode. Windows refuses to replace a program that runs, but lets it be renamed.
 */
export async function putInPlace(
  file: string,
  path: string,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const kept = `${path}.kept`;
  try {
    await rm(kept, { force: true });
    if (platform === 'win32') {
      await rename(path, kept);
      await rename(file, path).catch(async (error: unknown) => {
        await rename(kept, path);
        throw error;
      });
    } else {
      const { uid, gid, mode } = await stat(path);
      // Only the owner of a file may change its mode. A rollback may be to a program of root, in a directory of this user.
      if ((await stat(file)).mode !== mode) await chmod(file, mode & 0o7777);
      // Only root may change the owner. Any other user who upgrades owns the program.
      if (process.geteuid?.() === 0) await chown(file, uid, gid);
      // Some file systems have no links.
      await link(path, kept).catch(() => copyFile(path, kept, constants.COPYFILE_EXCL));
      await rename(file, path).catch(async (error: unknown) => {
        await rm(kept, { force: true });
        throw error;
      });
    }
    await rename(kept, previousOf(path));
  } catch (error) {
    throw explained(error, path);
  }
}
