import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { KnownBackup } from '../server-facts.ts';

const KEPT = 20;

type Entry = Omit<KnownBackup, 'present'>;

const fileOf = (data: string): string => join(data, 'backups.json');

function read(data: string): readonly Entry[] {
  const file = fileOf(data);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Entry[]) : [];
}

/** Writes a backup down beside the database, so that a running server can tell of it. */
export function noteBackup(data: string, backup: Entry): void {
  const path = resolve(backup.path);
  const entries = [{ ...backup, path }, ...read(data).filter((entry) => entry.path !== path)];
  const fresh = `${fileOf(data)}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(entries.slice(0, KEPT), null, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, fileOf(data));
}

/** The last backups, newest first. */
export const listBackups = (data: string): KnownBackup[] =>
  read(data).map((entry) => ({ ...entry, present: existsSync(entry.path) }));
