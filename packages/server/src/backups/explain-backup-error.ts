import { existsSync } from 'node:fs';
import { ConfigError } from '../config/config.ts';
import { codeOf } from '../db/core/storage-errors.ts';
import { fileReason } from '../system/file-reason.ts';

const REFUSED = /^(?:EACCES|EPERM|SQLITE_CANTOPEN|SQLITE_READONLY|SQLITE_PERM)/;
const FULL = /^(?:ENOSPC|EDQUOT|SQLITE_FULL)/;
const FAILING = /^(?:EIO|SQLITE_IOERR)/;

/** Turns an error of the directory of backups into a `ConfigError` that says what to do; every other error stays as it is. */
export function explainBackupError(error: unknown, directory: string): unknown {
  const code = codeOf(error);
  const explained = (sentence: string): ConfigError =>
    new ConfigError(`${directory} ${sentence}`, { cause: error });
  if (code === 'EROFS')
    return explained(
      'is on a read-only file system. Mount it read-write, or name another place with --backup-to or HUBLINE_BACKUP_TO.',
    );
  if (REFUSED.test(code))
    return explained(
      `cannot be used by user ${process.getuid?.() ?? 'of this process'}. Let that user write to it, or name another place with --backup-to or HUBLINE_BACKUP_TO.`,
    );
  if (FULL.test(code))
    return explained('has no space left. Make room, or keep fewer backups with --backup-keep.');
  if (code === 'ENOENT' && existsSync(directory))
    return explained(
      'lost the copy before it was finished: another program removed it, such as a server on a copy of this database. Give each server its own place.',
    );
  if (code === 'ENOENT')
    return new ConfigError(
      `There is no directory ${directory}. Mount its disk, or create it: it must exist before a backup.`,
      { cause: error },
    );
  if (FAILING.test(code))
    return explained(`is on a failing disk: ${(error as Error).message}. Check the disk and the system log.`);
  const reason = fileReason(error);
  return reason === null
    ? error
    : explained(
        `cannot be used: ${reason}. Name a directory with --backup-to or HUBLINE_BACKUP_TO, ideally on another disk.`,
      );
}
