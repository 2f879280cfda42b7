import { randomBytes } from 'node:crypto';
import { chmod, lstat, open, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError, usageError } from '../errors/errors.ts';
import { fileReason } from '../errors/file-error.ts';
import { CHOOSE_ANOTHER, type Config, configFile, readConfig } from './config-file.ts';
import { makeDirectory } from './make-directory.ts';
import { renameOver } from './rename-over.ts';

/** Replaces a file as a whole, readable only for its owner: after a crash there is the old one or the new one, never a part. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  // `wx` is O_EXCL: it fails rather than write through a link that somebody placed there.
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
    await handle.close();
    await renameOver(temporary, file);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
}

const DIRECTORY_MODE = 0o700;

/** A configuration as a command has read it, and as the command wants it. */
interface Change {
  readonly before: Config;
  readonly after: Config;
}

/**
 * Writes what a command has changed, in a folder that only its owner can enter. Other commands may have changed the rest meanwhile, for
 * example while a login waited for its key. Returns the configuration that is saved now.
 */
export async function writeConfig(directory: string, change: Change): Promise<Config> {
  const file = configFile(directory);
  let saved: Config;
  try {
    makeDirectory(directory, DIRECTORY_MODE);
    const existing = await lstat(file).catch(() => undefined);
    if (existing && !existing.isFile()) {
      throw usageError(`${file} must be a plain file, not a link or a folder.`, `Remove ${file}.`);
    }
    saved = await alone(`${file}.lock`, async () => {
      const merged = withChange(
        readConfig(directory, () => undefined),
        change,
      );
      await replaceFile(file, `${JSON.stringify(merged, null, 2)}\n`);
      return merged;
    });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw usageError(`${file} cannot be written: ${fileReason(error)}.`, CHOOSE_ANOTHER);
  }
  // The file inside is 0600 in any case; a directory that existed before may still be open to others.
  await chmod(directory, DIRECTORY_MODE).catch(() => undefined);
  return saved;
}

/** The current configuration with the changes of a command. */
function withChange(now: Config, { before, after }: Change): Config {
  const contexts = changedIn(now.contexts, before.contexts, after.contexts);
  const defaults = changedIn(now.defaults, before.defaults, after.defaults);
  return {
    current: after.current === before.current ? now.current : after.current,
    contexts,
    ...(Object.keys(defaults).length > 0 && { defaults }),
  };
}

type Entries<Value> = Readonly<Record<string, Value>>;

/** The current entries with the changes of a command: the entries that differ before and after. */
function changedIn<Value>(
  now?: Entries<Value>,
  before?: Entries<Value>,
  after?: Entries<Value>,
): Entries<Value> {
  const [entries, old, wanted] = [mapOf(now), mapOf(before), mapOf(after)];
  for (const name of old.keys()) if (!wanted.has(name)) entries.delete(name);
  for (const [name, value] of wanted)
    if (JSON.stringify(value) !== JSON.stringify(old.get(name))) entries.set(name, value);
  return Object.fromEntries(entries);
}

/** A map, because a name may be any word, such as `constructor`. */
const mapOf = <Value>(entries: Entries<Value> = {}): Map<string, Value> => new Map(Object.entries(entries));

/** A command holds the lock for milliseconds. One that was killed leaves it behind. */
const LOCK_MS = 5_000;
const LOOK_MS = 10;

/** Does work while no other command does. */
async function alone<Result>(lock: string, work: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + LOCK_MS;
  while (!(await take(lock))) {
    if (performance.now() < deadline) await sleep(LOOK_MS);
    else await rm(lock, { force: true });
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** Makes the file of a lock; `false` if there is one already. */
async function take(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
