import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { getSystemErrorMessage } from 'node:util';

/** The system's words for a failed call on a file, such as `name too long`, without code, call and path; `null` for any other error. */
export function fileReason(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, errno, syscall, path } = error as NodeJS.ErrnoException;
  if (errno === undefined || syscall === undefined) return null;
  if (code === 'EISDIR') return 'it is a directory';
  if (code === 'EEXIST' && syscall === 'mkdir')
    return 'it is a file, or a link that leads nowhere, but must be a directory';
  // File systems such as /proc answer this to every new directory.
  if (code === 'ENOENT' && syscall === 'mkdir' && path !== undefined && existsSync(dirname(path)))
    return 'its file system does not allow new directories';
  // Some errors of Node's own have the number without its sign.
  return getSystemErrorMessage(-Math.abs(errno));
}

/** Says which file cannot be used, and why; the message of any other error. Ends without a period. */
export function describeFileError(error: Error): string {
  const reason = fileReason(error);
  const { path, dest = path } = error as NodeJS.ErrnoException & { dest?: string };
  if (reason === null) return error.message.replace(/\.$/, '');
  return dest === undefined ? `A file cannot be used: ${reason}` : `${dest} cannot be used: ${reason}`;
}
