import { ConfigError, type ServerConfig } from '../config/config.ts';
import { lockDataDirectory } from '../data-directory/data-directory.ts';
import { deleteSessionsOf } from '../db/identity/sessions.ts';
import { findUserByEmail, hasUsers } from '../db/identity/users.ts';
import { insertMeta, readMeta, writeMeta } from '../db/meta.ts';
import { OlderDatabase } from '../db/migrations/migrate.ts';
import type { Db } from '../db/core/schema.ts';
import { explainStorageError } from '../start/storage/explain-storage-error.ts';
import { type Opened, openStorage } from '../start/storage/open-storage.ts';
import { OWNER } from './cast.ts';
import { type Liveliness, eventTimes } from './event-times.ts';
import { passTime } from './history.ts';
import type { Connected } from './incoming.ts';
import { createRandom } from './random.ts';
import { VirtualClock } from './virtual-clock.ts';
import { furnish, type SeedOwner } from './workspace.ts';
import { createWorld } from './world.ts';

/** The settings of a seed. */
export interface SeedOptions extends Partial<Liveliness> {
  /** The same number makes the same history. Default 1. */
  seed?: number;
  /** The end of the history. Default: now. */
  now?: Date;
}

/** The key in `meta` of a database that was seeded. Its value is the integrations of the live demo; `null` until the history is complete. */
const META_KEY = 'seeded';
const UNFINISHED = 'null';

const DEFAULTS: Liveliness = { days: 7, eventsPerDay: 800 };
const DAY_MS = 86_400_000;
const SETTLED_MS = 40 * DAY_MS;

/**
 * Fills a database without users with the workspace of an invented company and its history until now. Returns `null`,
 * and leaves the database as it is, if there is a user or the database is of an older version. Throws `ConfigError` if
 * an earlier seed was cut off, and if a server or another seed uses an empty database.
 */
export async function seedDatabase(
  config: ServerConfig,
  { seed = 1, now = new Date(), ...lively }: SeedOptions = {},
): Promise<SeedOwner | null> {
  // After a power cut, the history can be made again, so commits need not be durable.
  const opened = await openIfNotOlder({ ...config, synchronous: 'NORMAL' }, now);
  if (opened === null) return null;
  const { store } = opened;
  try {
    if (await hasUsers(store.read)) {
      const isUnfinished = (await readMeta(store.read, META_KEY)) === UNFINISHED;
      // A seed may be cut off before it makes its owner. Then the users are others, and the database is theirs.
      if (!isUnfinished || !(await findUserByEmail(store.read, OWNER.email))) return null;
      // Refuses while another process writes the history: then nothing was cut off.
      lock(config).release();
      throw cutOff(config);
    }
    const locked = lock(config);
    try {
      // Another process may have seeded it meanwhile.
      return (await hasUsers(store.read)) ? null : await fill(config, opened, { seed, now, ...lively });
    } finally {
      locked.release();
    }
  } catch (error) {
    throw await explainStorageError(error, config);
  } finally {
    await store.close();
  }
}

/** Keeps other servers and seeds out, as a server does. On PostgreSQL the first seed keeps out the others. */
const lock = ({ data, databaseUrl }: ServerConfig): { release(): void } =>
  databaseUrl === undefined ? lockDataDirectory(data) : { release: () => {} };

async function fill(
  config: ServerConfig,
  opened: Opened,
  { seed, now, ...lively }: SeedOptions & Required<Pick<SeedOptions, 'seed' | 'now'>>,
): Promise<SeedOwner> {
  const { store } = opened;
  const isFirst = await store.write((tx) => insertMeta(tx, META_KEY, UNFINISHED));
  if (!isFirst && config.databaseUrl !== undefined) throw cutOff(config);
  const until = now.getTime();
  const clock = new VirtualClock(until - SETTLED_MS - 2 * DAY_MS);
  const random = createRandom(seed);
  const world = createWorld({ config, opened, clock, random: createRandom(seed + 1) });
  try {
    const { owner, connected, acts, sessions } = await furnish(world.deps, clock, until);
    const times = eventTimes(random, until, { ...DEFAULTS, ...lively });
    await passTime(world, { random, connected, times, acts, until });
    await store.write(async (tx) => {
      for (const userId of sessions) await deleteSessionsOf(tx, userId, null);
      await writeMeta(tx, META_KEY, JSON.stringify(connected));
    });
    return owner;
  } finally {
    world.close();
  }
}

/** The refusal of half a history. Nobody knows the password of its owner. */
const cutOff = ({ data, databaseUrl }: ServerConfig): ConfigError =>
  new ConfigError(
    databaseUrl === undefined
      ? `The example in this database is incomplete, because an earlier --seed was cut off. Remove hubline.db, hubline.db-wal and hubline.db-shm in ${data}, and start again.`
      : 'The example in this database is incomplete: another --seed is writing it, or was cut off. If none is running, empty the PostgreSQL database, and start again.',
  );

/**
 * Opens the database; `null` for one of an older version. That one has been in use, and the server migrates it and says
 * so.
 */
async function openIfNotOlder(config: ServerConfig, now: Date): Promise<Opened | null> {
  try {
    return await openStorage(config, now);
  } catch (error) {
    if (error instanceof OlderDatabase) return null;
    throw error;
  }
}

/** The integrations of a seeded database; `null` if it was not, or not to the end. */
export async function readSeeded(db: Db): Promise<Connected | null> {
  const text = await readMeta(db, META_KEY);
  return text === null ? null : (JSON.parse(text) as Connected | null);
}
