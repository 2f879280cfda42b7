import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { ServerConfig } from '../config/config.ts';
import type { Deps } from '../context.ts';
import { removeJobs } from '../db/jobs.ts';
import { claimMeta, readMeta, writeMeta } from '../db/meta.ts';
import { maskSecrets } from '../domain/events/mask-secrets.ts';
import { periodMs } from '../domain/period.ts';
import { keyIdOf } from '../secrets/vault.ts';
import type { BackupSchedule, LastBackup } from '../system/server-info.ts';
import { describeFailure } from '../log/describe-failure.ts';
import { forgetBackup, noteBackup } from './backup-journal.ts';
import type { CheckedCopy } from './copy/copy-and-check.ts';
import { copyDatabase } from './copy/copy-database.ts';
import type { Destination } from './destinations/destination.ts';
import { explainBackupError } from './explain-backup-error.ts';
import { isFutureDated, futureDatedLast } from './future-dated.ts';
import { type Manifest, nameOf, SERIES_META_KEY, seriesOf, STATE_META_KEY } from './manifest.ts';
import { isInS3, openDestination } from './destinations/open-destination.ts';

const SERIES_BYTES = 3;

const stateSchema = z.object({
  to: z.string(),
  last: z.object({ takenAt: z.string(), bytes: z.int(), durationMs: z.number() }).nullable(),
  lastError: z.string().nullable(),
});

/** Makes backups in a job, keeps the newest, and remembers the result of the last one. */
export class ScheduledBackups {
  readonly #settings: Pick<BackupSchedule, 'everyMs' | 'keep' | 'to'>;
  readonly #database: string;
  readonly #data: string;
  readonly #destination: Destination;
  /** Tells two destinations apart, even two buckets with the same name in different storage. */
  readonly #place: string;
  readonly #series: string;
  readonly #clock: () => Date;
  #last: LastBackup | null = null;
  #lastError: string | null = null;
  #failures = 0;

  /** Reads the result that an earlier process stored; `null` if no backups are scheduled. Throws `ConfigError`. */
  static async open(
    config: ServerConfig,
    { store, clock }: Pick<Deps, 'store' | 'clock'>,
  ): Promise<ScheduledBackups | null> {
    const { backupEvery, backupTo } = config;
    if (backupEvery === undefined || backupTo === undefined) {
      // A job that nobody runs would stay overdue forever.
      await store.write((tx) => removeJobs(tx, 'backup'));
      return null;
    }
    const destination = openDestination(backupTo, config);
    const series = await store.write((tx) =>
      claimMeta(tx, SERIES_META_KEY, randomBytes(SERIES_BYTES).toString('hex')),
    );
    const backups = new ScheduledBackups(config, { destination, series, clock });
    const stored = stateSchema.safeParse(JSON.parse((await readMeta(store.read, STATE_META_KEY)) ?? 'null'));
    if (stored.success && stored.data.to === backups.#place) {
      backups.#last = stored.data.last;
      backups.#lastError = stored.data.lastError;
    }
    // A destination that has no backup yet may be a mistake: the job is created again, due at once.
    if (backups.schedule.last === null) await store.write((tx) => removeJobs(tx, 'backup'));
    return backups;
  }

  private constructor(
    { data, backupEvery = '', backupKeep, backupTo = '', s3 }: ServerConfig,
    { destination, series, clock }: { destination: Destination; series: string; clock: () => Date },
  ) {
    this.#settings = { everyMs: periodMs(backupEvery) ?? 0, keep: backupKeep, to: backupTo };
    this.#data = data;
    this.#database = join(data, 'hubline.db');
    this.#destination = destination;
    this.#place = isInS3(backupTo) ? `${s3.endpoint ?? s3.region} ${backupTo}` : backupTo;
    this.#series = series;
    this.#clock = clock;
  }

  get schedule(): BackupSchedule {
    // A backup that is dated in the future would count as fresh for years.
    const isFresh = this.#last !== null && !isFutureDated(this.#last.takenAt, this.#clock());
    return {
      ...this.#settings,
      last: isFresh ? this.#last : null,
      lastError: this.#lastError,
      failures: this.#failures,
    };
  }

  /** Makes a backup, then removes the oldest ones. Throws if that failed, after it has stored why. */
  async run(deps: Deps, signal: AbortSignal): Promise<void> {
    const name = nameOf(this.#series, deps.clock());
    try {
      const made = await this.#make(deps, { name, signal });
      this.#last = made;
      this.#lastError = null;
      deps.log.info({ ...made, path: this.#destination.pathOf(name) }, 'backed up');
    } catch (failure) {
      const error = explainBackupError(failure, this.#workshop);
      await this.#destination.discard(name, signal).catch(() => undefined);
      // A backup that was cut off because the server stops has not failed.
      if (!signal.aborted) {
        this.#failures += 1;
        this.#lastError = maskSecrets(error instanceof Error ? error.message : String(error));
        await this.#storeResult(deps);
      }
      throw error;
    }
    await this.#storeResult(deps);
    await this.#removeOld(deps, { newest: name, signal });
  }

  async #make(
    { clock, vault, log }: Deps,
    { name, signal }: { name: string; signal: AbortSignal },
  ): Promise<LastBackup> {
    const began = performance.now();
    const takenAt = clock().toISOString();
    const target = await this.#destination.begin(name, signal);
    const copy = await copyDatabase({ source: this.#database, target }, signal);
    const manifest = newManifest(copy, { takenAt, fingerprints: vault.fingerprints });
    await this.#destination.complete(name, manifest, signal);
    try {
      noteBackup(this.#data, { path: this.#destination.pathOf(name), bytes: copy.bytes, taken_at: takenAt });
    } catch (error) {
      log.warn(describeFailure(error), 'a backup is complete, but could not be added to the list of backups');
    }
    return { takenAt, bytes: copy.bytes, durationMs: Math.round(performance.now() - began) };
  }

  /** The directory in which a copy is made. */
  get #workshop(): string {
    const { to } = this.#settings;
    return isInS3(to) ? join(this.#data, 'backups', 'upload') : resolve(to);
  }

  /**
   * Stores the result, so that it outlives a restart. A full disk makes this fail like the backup; then only this
   * process knows the result.
   */
  async #storeResult({ store, log }: Deps): Promise<void> {
    const state = JSON.stringify({ to: this.#place, last: this.#last, lastError: this.#lastError });
    await store
      .write((tx) => writeMeta(tx, STATE_META_KEY, state))
      .catch((error: unknown) =>
        log.warn(describeFailure(error), 'the result of a backup could not be stored'),
      );
  }

  /**
   * Removes all but the newest backups of this database. The new one stays, even if a clock that was set back makes it
   * look old.
   */
  async #removeOld(
    { log, clock }: Deps,
    { newest, signal }: { newest: string; signal: AbortSignal },
  ): Promise<void> {
    try {
      const { complete } = await this.#destination.list(signal);
      const others = futureDatedLast(complete, clock()).filter(
        ({ name }) => seriesOf(name) === this.#series && name !== newest,
      );
      for (const { name, path } of others.slice(this.#settings.keep - 1)) {
        await this.#destination.remove(name, signal);
        forgetBackup(this.#data, path);
      }
    } catch (error) {
      if (!signal.aborted)
        log.warn(describeFailure(error), 'old backups could not be removed; the next backup tries again');
    }
  }
}

/** The manifest of a copy that can be restored. Throws if it cannot. */
function newManifest(
  { migrations, fingerprint, bytes, sha256, rows }: CheckedCopy,
  { takenAt, fingerprints }: { takenAt: string; fingerprints: readonly string[] },
): Manifest {
  const schema = migrations.at(-1);
  if (schema === undefined || fingerprint === null || !fingerprints.includes(fingerprint))
    throw new Error('The copy could not be restored: the master key of this server does not open it.');
  return { taken_at: takenAt, bytes, sha256, schema, key_id: keyIdOf(fingerprint), rows };
}
