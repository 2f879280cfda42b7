import { existsSync, type Stats } from 'node:fs';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { listBackups as journalOf } from './backup-journal.ts';
import { hashOf } from './copy/copy-and-check.ts';
import { explainBackupError } from './explain-backup-error.ts';
import { requireReadable } from './named-file.ts';
import { removeUnfinished, unfinishedNameOf } from './leftovers.ts';
import { isFutureDated, futureDatedLast } from './future-dated.ts';
import type { StoredBackup } from './destinations/destination.ts';
import { isInS3, openDestination } from './destinations/open-destination.ts';
import { seriesOf } from './manifest.ts';
import { ConfigError, type ServerConfig } from '../config/config.ts';
import { codeOf } from '../db/core/storage-errors.ts';
import { createVault, keyIdOf, type MasterKeys } from '../secrets/vault.ts';
import { readMasterKeys, readRetiredKeys } from '../data-directory/data-directory.ts';
import { requireFiles } from '../config/require-limits.ts';
import { explainDataError } from '../data-directory/explain-data-error.ts';
import { prepareDirectory } from '../data-directory/prepare-directory.ts';

/** A backup whose content differs from the one that was written. */
export class DamagedBackup extends ConfigError {}

/** A backup that can be restored by its path. */
export interface FoundBackup {
  /** The file, or its URL in S3. */
  path: string;
  /** Its size. */
  bytes: number;
  /** ISO 8601. Everything stored before this time is in the backup. */
  taken_at: string;
  /** True if the master key of the data directory opens it; `null` if unknown. */
  key_fits: boolean | null;
  /** True if it was read and checked when it was made; false for a database that a restore replaced. */
  verified: boolean;
}

/** The result of a search. */
export interface FoundBackups {
  backups: FoundBackup[];
  /** Paths of scheduled backups that are damaged. */
  damaged: string[];
  /** Paths of scheduled backups that are dated in the future. They come after all other scheduled backups. */
  ahead: string[];
  /** The number of scheduled backups that only a key of `master.key.retired` opens. */
  retired: number;
  /**
   * The number of scheduled backups that no key of the data directory opens: several servers may share a destination.
   */
  foreign: number;
}

/**
 * Lists the backups that a server keeps, newest first: the scheduled ones in `backupTo`, then those from before
 * migrations, the databases that a restore replaced, and the files of this machine that its list of backups names.
 * Throws `ConfigError`.
 */
export async function listBackups(config: ServerConfig): Promise<FoundBackups> {
  const found: FoundBackup[] = [];
  const damaged: string[] = [];
  const now = new Date();
  const count = { current: 0, retired: 0, foreign: 0 };
  if (config.backupTo !== undefined) {
    const destination = openDestination(config.backupTo, config);
    const stored = await withExplainedErrors(config.backupTo, () => destination.list());
    damaged.push(...stored.damaged.map((name) => destination.pathOf(name)));
    const keyOf = keysOf(config);
    for (const backup of futureDatedLast(stored.complete, now)) {
      const { path, bytes, taken_at } = backup;
      const key = keyOf(backup);
      if (key !== null) count[key] += 1;
      found.push({ path, bytes, taken_at, key_fits: key && key === 'current', verified: true });
    }
  }
  const ahead = found.filter(({ taken_at: at }) => isFutureDated(at, now)).map(({ path }) => path);
  const others: FoundBackup[] = [];
  for (const directory of [join(config.data, 'backups'), config.data]) {
    const names = await namesIn(directory);
    for (const name of names.filter((each) => /^(?:before|replaced)-.*\.db$/.test(each))) {
      const path = join(directory, name);
      const facts = await statOf(path);
      if (facts === null) continue;
      const { size, mtime } = facts;
      const verified = name.startsWith('before-');
      others.push({ path, bytes: size, taken_at: mtime.toISOString(), key_fits: null, verified });
    }
  }
  const known = new Set([...found, ...others].map(({ path }) => resolve(path)));
  for (const { path, bytes, taken_at, present } of journalOf(config.data))
    if (present && !isInS3(path) && !known.has(path))
      others.push({ path, bytes, taken_at, key_fits: null, verified: true });
  return {
    backups: [...found, ...others.sort((a, b) => (a.taken_at < b.taken_at ? 1 : -1))],
    damaged,
    ahead,
    retired: count.retired,
    foreign: count.foreign,
  };
}

/** The facts of a file; `null` for one that was removed since the directory was read. */
async function statOf(file: string): Promise<Stats | null> {
  try {
    return await stat(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw explainDataError(error, dirname(file));
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (/^(?:ENOENT|ENOTDIR)$/.test(codeOf(error))) return [];
    throw explainDataError(error, directory);
  }
}

/** A backup as a file of this machine, until it is disposed of. */
interface LocalBackup extends AsyncDisposable {
  readonly path: string;
  /** The name by which the operator knows it: its path, or its URL in S3. */
  readonly known: string;
  /** Paths of damaged backups that the search for `latest` skipped. */
  readonly damaged: readonly string[];
  /** Paths of backups dated in the future, which the search also skipped. */
  readonly ahead: readonly string[];
}

/**
 * Finds a backup by a file, an `s3://…` URL of the list, a name of the list, or `latest`. A backup in S3 is copied
 * beside the database; the checksum of a scheduled backup is compared. Throws `ConfigError`.
 */
export async function fetchBackup(config: ServerConfig, named: string): Promise<LocalBackup> {
  requireFiles();
  const isFile = !isInS3(named) && existsSync(named);
  const isScheduled = named === 'latest' || seriesOf(basename(named)) !== null;
  if (!isScheduled) {
    if (isInS3(named)) throw new ConfigError(`${named} must name a backup of hubline backup list.`);
    requireReadable(resolve(named));
    return local(resolve(named));
  }
  const address = addressOf(config, { named, isFile });
  const destination = openDestination(address, config);
  const { complete, damaged } = await withExplainedErrors(address, () => destination.list());
  const isLatest = named === 'latest';
  const now = new Date();
  const wanted = isLatest
    ? latestOf(config, futureDatedLast(complete, now))
    : complete.find(({ name }) => name === basename(named));
  const skipped = isLatest ? damaged.map((name) => destination.pathOf(name)) : [];
  const ahead = isLatest
    ? complete.filter(({ taken_at: at }) => isFutureDated(at, now)).map(({ path }) => path)
    : [];
  if (wanted === undefined) {
    if (isFile) return local(resolve(named));
    const [bad] = damaged.includes(basename(named)) ? [destination.pathOf(basename(named))] : skipped;
    if (bad !== undefined)
      throw new DamagedBackup(
        `${bad} is damaged: its size or its manifest is not what was written. Use another backup.`,
      );
    throw new ConfigError(
      `There is no complete backup ${isLatest ? '' : `${basename(named)} `}in ${address}. See hubline backup list --backup-to ${address}.`,
    );
  }
  const { name, path, sha256 } = wanted;
  const isHere = !isInS3(path);
  const fetched = join(config.data, 'hubline.fetched.db');
  const file = isHere ? path : unfinishedNameOf(fetched);
  let held: FileHandle | undefined;
  const dispose = async (): Promise<void> => {
    await held?.close();
    await rm(file, { force: true });
  };
  const found = isHere
    ? local(path, { damaged: skipped, ahead })
    : local(file, { damaged: skipped, ahead, known: path, dispose });
  try {
    if (!isHere) {
      prepareDirectory(config.data);
      await removeUnfinished(fetched);
      const fetch = async (): Promise<void> => {
        // Kept open from the start: another command removes unfinished files that no process has open.
        held = await open(file, 'wx', 0o600);
        await destination.fetch(name, file);
      };
      const arrival = fetch().catch((error: unknown) => {
        throw explainDataError(error, config.data);
      });
      await withExplainedErrors(address, () => arrival);
    }
    if (hashOf(file) !== sha256)
      throw new DamagedBackup(`${path} is damaged: it is not what was written. Use another backup.`);
    return found;
  } catch (error) {
    await found[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * The first backup that the current master key opens, because several servers may share a destination; else the first
 * that a retired key opens. Without a key, or if no key opens any, the first of all.
 */
function latestOf(config: ServerConfig, backups: readonly StoredBackup[]): StoredBackup | undefined {
  const keyOf = keysOf(config);
  const firstOf = (key: Key) => backups.find((backup) => keyOf(backup) === key);
  return firstOf('current') ?? firstOf('retired') ?? backups[0];
}

/** The key that opens a backup: the master key of the data directory, one that it replaced, or one of another server. */
type Key = 'current' | 'retired' | 'foreign';

/** Returns a function that tells which key opens a backup; `null` if there is no key to compare. */
function keysOf(config: ServerConfig): (backup: StoredBackup) => Key | null {
  const idsOf = (keys: MasterKeys | null): readonly string[] =>
    keys === null ? [] : createVault(keys).fingerprints.map(keyIdOf);
  const current = idsOf(readMasterKeys(config));
  if (current.length === 0) return () => null;
  const retired = idsOf(readRetiredKeys(config));
  return ({ key_id: id }) =>
    current.includes(id) ? 'current' : retired.includes(id) ? 'retired' : 'foreign';
}

/** The destination of a backup: the directory or prefix of its path, or else the server's own. */
function addressOf(
  { backupTo }: Pick<ServerConfig, 'backupTo'>,
  { named, isFile }: { named: string; isFile: boolean },
): string {
  if (isFile || isInS3(named) || basename(named) !== named)
    return isInS3(named) ? named.slice(0, named.lastIndexOf('/')) : dirname(resolve(named));
  if (backupTo === undefined)
    throw new ConfigError(
      `There is no file ${named}. For a scheduled backup, name its place with --backup-to.`,
    );
  return backupTo;
}

const local = (
  path: string,
  {
    damaged = [],
    ahead = [],
    known = path,
    dispose = async () => {},
  }: { damaged?: string[]; ahead?: string[]; known?: string; dispose?: () => Promise<void> } = {},
): LocalBackup => ({
  path,
  known,
  damaged,
  ahead,
  [Symbol.asyncDispose]: dispose,
});

/** Turns an error of the destination into a `ConfigError`, because the operator has to fix it. */
async function withExplainedErrors<Result>(address: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const explained = explainBackupError(error, address);
    if (!(explained instanceof Error) || explained instanceof ConfigError) throw explained;
    throw new ConfigError(explained.message, { cause: error });
  }
}
