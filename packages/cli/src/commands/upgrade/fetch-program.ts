import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { download } from '../../client/download.ts';
import type { Context } from '../../context.ts';
import { CommandError, usageError } from '../../errors/errors.ts';
import { fileReason } from '../../errors/file-error.ts';
import { forged, type ReleaseFile } from './releases.ts';

/** A download that has not grown for this long is left over from a process that was killed. */
const LEFTOVER_MS = 3_600_000;

interface Wanted extends ReleaseFile {
  /** The URL of the release's folder. */
  readonly address: string;
}

/** A downloaded file, which is removed unless it was put in place before. */
interface Fetched extends Disposable {
  readonly file: string;
}

/** Downloads a program beside the one at `path`. Refuses any file but the signed one. */
export async function fetchProgram(ctx: Context, wanted: Wanted, path: string): Promise<Fetched> {
  const file = `${path}.new`;
  const handle = await begin(file, ctx.now());
  // Ctrl-C ends the process before anything that is awaited, so this removal is synchronous.
  const discard = (): void => rmSync(file, { force: true });
  ctx.signal.addEventListener('abort', discard, { once: true });
  const dispose = (): void => {
    ctx.signal.removeEventListener('abort', discard);
    discard();
  };
  try {
    await receive(ctx, wanted, handle);
    const { mode } = await stat(path);
    await handle.chmod(mode | 0o100);
    await handle.sync();
    await handle.close();
    return { file, [Symbol.dispose]: dispose };
  } catch (error) {
    await handle.close().catch(() => undefined);
    dispose();
    throw error instanceof CommandError ? error : explained(error, path);
  } finally {
    ctx.progress.clear();
  }
}

async function receive(
  ctx: Context,
  { address, name, size, sha256 }: Wanted,
  handle: FileHandle,
): Promise<void> {
  const hash = createHash('sha256');
  let bytes = 0;
  ctx.progress.start(`downloading ${name}`, size);
  for await (const part of download(ctx, `${address}/${name}`)) {
    bytes += part.byteLength;
    if (bytes > size) throw forged(`${name} is longer than the ${size} bytes that were signed.`);
    hash.update(part);
    await handle.writeFile(part);
    ctx.progress.tick(part.byteLength);
  }
  if (bytes < size)
    throw new CommandError('unavailable', `Only ${bytes} of ${size} bytes of ${name} arrived.`, 'Try again.');
  if (hash.digest('hex') !== sha256) throw forged(`${name} is not the file that was signed.`);
}

/** Opens the file before anything is downloaded, so that a missing permission shows at once. */
async function begin(file: string, now: number): Promise<FileHandle> {
  const create = (): Promise<FileHandle> => open(file, 'wx', 0o700);
  try {
    return await create().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      const { mtimeMs } = await stat(file);
      if (now - mtimeMs < LEFTOVER_MS)
        throw new CommandError(
          'conflict',
          `Another upgrade is under way: it writes ${file}.`,
          `Wait for it. If there is none, remove ${file}.`,
        );
      await rm(file);
      return create();
    });
  } catch (error) {
    throw error instanceof CommandError ? error : explained(error, file);
  }
}

/** The reason why a file beside the program cannot be written, and a cure. */
export function explained(error: unknown, file: string): unknown {
  const { code, syscall, path = file } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  // Only its owner may change a program, even if the directory belongs to another user.
  const fails = /^ch(?:mod|own)$/.test(syscall)
    ? `${path} cannot be changed`
    : `${dirname(file)} cannot be written`;
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  return usageError(
    `hubline cannot be replaced: ${fails}, ${fileReason(error)}.`,
    full
      ? 'Make room on the disk.'
      : 'Run it as a user who may write there, such as with sudo. For a container, use the image of the new version instead.',
  );
}
