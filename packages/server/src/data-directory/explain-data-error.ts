import { accessSync, constants, existsSync, readdirSync, readlinkSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigError } from '../config/config.ts';
import { StorageUnavailable } from '../domain/faults/storage-unavailable.ts';
import { isOurs } from './foreign-links.ts';
import { fileReason } from '../system/file-reason.ts';
import { holderOfFile } from '../system/holders.ts';
import { sizeOf } from '../system/size-of.ts';
import { shellWord } from '../system/shell-word.ts';

/** Codes of the file system and of SQLite, by their meaning for the operator. */
const REFUSED = /^(?:EACCES|EPERM|SQLITE_CANTOPEN|SQLITE_READONLY|SQLITE_PERM)/;
const FULL = /^(?:ENOSPC|EDQUOT|SQLITE_FULL)/;
const READ_ONLY = /^EROFS/;
const FAILING = /^(?:EIO|SQLITE_IOERR)/;
const LOCKED = /^SQLITE_(?:BUSY|LOCKED)/;

const ELSEWHERE = 'name another place with --data or HUBLINE_DATA';

/** Turns an error of the data directory into a `ConfigError` that says what to do; every other error stays as it is. */
export function explainDataError(error: unknown, data: string): unknown {
  if (!(error instanceof Error) || error instanceof ConfigError) return error;
  const cause = error instanceof StorageUnavailable && error.cause instanceof Error ? error.cause : error;
  const { code = '', path: file } = cause as NodeJS.ErrnoException;
  const path = resolve(data);
  const explained = (sentence: string): ConfigError => new ConfigError(sentence, { cause: error });
  if (READ_ONLY.test(code) || (REFUSED.test(code) && isReadOnly(path)))
    return explained(
      `${path} is on a read-only file system. Name a directory that can be written to, with --data or HUBLINE_DATA.`,
    );
  const free = freeBytes(path);
  if (FULL.test(code) || (FAILING.test(code) && free === 0))
    return explained(
      `There is no space for the database in ${path}${free === null ? '' : `: ${sizeOf(free)} are free`}. Make room, or ${ELSEWHERE}.`,
    );
  const folder = FILES.map((name) => join(path, name)).find(isDirectory);
  if (folder !== undefined && (REFUSED.test(code) || FAILING.test(code)))
    return explained(`${folder} is a directory, but must be a file. Move it away, or ${ELSEWHERE}.`);
  const target = file !== undefined && REFUSED.test(code) ? linkTarget(file) : undefined;
  if (file !== undefined && target !== undefined)
    return explained(
      `${resolve(file)} is a link to ${target}, which user ${process.getuid?.()} may not use. Give that user access, remove the link, or ${ELSEWHERE}.`,
    );
  if (REFUSED.test(code)) return explained(refusal(path, file));
  if (FAILING.test(code))
    return explained(`The disk of ${path} is failing: ${cause.message}. Check the disk and the system log.`);
  if (LOCKED.test(code)) {
    // In this file SQLite locks for the one who writes.
    const holder = holderOfFile(join(path, 'hubline.db-shm')) ?? 'Another program';
    return explained(
      `${holder} is writing to the database in ${path}. Try again; if that does not help, stop that program.`,
    );
  }
  const reason = fileReason(cause);
  if (reason === null || file === undefined) return error;
  return explained(`${resolve(file)} cannot be used: ${reason}. Fix that, or ${ELSEWHERE}.`);
}

/** The files of a data directory that an earlier start by another user may have left. */
const FILES = ['server.lock', 'hubline.db', 'hubline.db-wal', 'hubline.db-shm', 'master.key'];

function refusal(data: string, file = data): string {
  const self = process.getuid?.();
  const foreign = [existing(file), data, ...FILES.map((name) => join(data, name))]
    .map((path) => ({ path, owner: ownerOf(path) }))
    .find(({ owner }) => owner !== undefined && owner !== self);
  if (self === undefined || foreign === undefined)
    return `${data} cannot be written to. Check the permissions of the directory and its files, or ${ELSEWHERE}.`;
  const { path, owner } = foreign;
  const found = `${data} cannot be written to: ${path} belongs to user ${owner}, and this process is user ${self}.`;
  // Neither the directories above it nor one with other files belongs to Hubline alone, so their owner must not be
  // changed.
  if (existsSync(data))
    return holdsOthers(data)
      ? `${found} ${data} contains files other than Hubline's: ${ELSEWHERE}.`
      : `${found} Run this as that user, hand it over with chown -R ${self} ${shellWord(data)} if it is for Hubline alone, or ${ELSEWHERE}.`;
  return mayUse(existing(data), constants.X_OK)
    ? `${found} Make it with sudo install -d -m 700 -o ${self} ${shellWord(data)}, or ${ELSEWHERE}.`
    : `${found} It lets no other user in: ${ELSEWHERE}.`;
}

/** Reports whether a directory holds files that are not Hubline's; false if its files cannot be listed. */
function holdsOthers(data: string): boolean {
  try {
    return readdirSync(data).some((name) => !isOurs(name));
  } catch {
    return false;
  }
}

function mayUse(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

/** The path itself, or the nearest directory above it that exists. */
function existing(path: string): string {
  return ownerOf(path) !== undefined || dirname(path) === path ? path : existing(dirname(path));
}

/** The owner of a path; `undefined` if it does not exist, or a directory above it does not let this user in. */
function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
}

/** The path that a link leads to; `undefined` for anything else. */
function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Reports whether a path is on a read-only file system: SQLite only says that it cannot open its file. */
function isReadOnly(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

/** The free space of a file system; `null` if the system does not tell, as for a failing disk. */
function freeBytes(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return null;
  }
}
