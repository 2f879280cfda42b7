import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { type CommandError, usageError } from './errors.ts';

/** The usual errors of a file system in words for people, by the codes of Node. Other errors have the words of the system. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EPERM: 'the system does not permit it',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'a part of its path is not a directory',
  EISDIR: 'it is a directory',
  EEXIST: 'it already exists',
  ELOOP: 'there are too many links in its path',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
};

const CURES: Readonly<Record<string, string>> = {
  ENOSPC: 'Make room on the disk, or choose another place.',
  EDQUOT: 'Make room on the disk, or choose another place.',
  EISDIR: 'Name a file.',
};

const READ_CURES: Readonly<Record<string, string>> = {
  EACCES: 'Let this user read it, or name another file.',
  EPERM: 'Let this user read it, or name another file.',
  EISDIR: 'Name a file.',
};

/** The reason why a file cannot be used, to follow a colon: `permission is denied`. */
export function fileReason(error: unknown): string {
  const { code = '', errno, message, syscall, path } = error as NodeJS.ErrnoException;
  // /proc and similar file systems report this for every new directory.
  if (code === 'ENOENT' && syscall === 'mkdir' && path !== undefined && existsSync(dirname(path)))
    return 'its file system does not allow new directories';
  if (Object.hasOwn(REASONS, code)) return REASONS[code] ?? '';
  // Some errors of Node's own have the number without its sign.
  return errno === undefined ? message : getSystemErrorMessage(-Math.abs(errno));
}

/** The error for a file that a command has to read. `name` says what it is and where: `--input events.json`. */
export function unreadable(name: string, error: unknown, cure?: string): CommandError {
  const { code = '' } = error as NodeJS.ErrnoException;
  return usageError(
    `${name} cannot be read: ${fileReason(error)}.`,
    cure ?? READ_CURES[code] ?? 'Check the path.',
  );
}

/** Explains a failure of the file system: which file, why, and what to do. `undefined` for any other error. */
export function explainFileError(error: unknown): { message: string; hint: string } | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', errno, path, syscall } = error as NodeJS.ErrnoException;
  if (errno === undefined) return undefined;
  if (syscall === 'uv_cwd') {
    const reason = code === 'ENOENT' ? 'has been removed' : `cannot be found: ${fileReason(error)}`;
    return {
      message: `The current directory ${reason}.`,
      hint: 'Change to another with cd, or name every file and directory by its full path, such as --data /var/lib/hubline.',
    };
  }
  if (path === undefined) return undefined;
  if (code === 'EEXIST' && syscall === 'mkdir') {
    return {
      message: `${path} is a file, or a link that leads nowhere, but must be a directory.`,
      hint: 'Name a directory, which may be a new one.',
    };
  }
  return {
    message: `${path} cannot be used: ${fileReason(error)}.`,
    hint: CURES[code] ?? 'Check the path and its permissions.',
  };
}
