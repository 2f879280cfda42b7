import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type IdBytes, idText } from '../../../../src/db/core/columns/columns.ts';
import type { BackupInput } from '../backup.process.ts';
import { Child } from '../child.ts';
import { problemsOf, sqlite } from '../database.ts';

/** A backup of a server that is writing. */
interface BackupTrial extends BackupInput {
  /** The point at which the backup dies; `null`: the backup lives, and the server dies in the middle of it. */
  point: string | null;
  /** The IDs of events that it must contain. */
  wanted: readonly string[];
  /** Called once the copying has begun. */
  midway(): void;
}

/** Makes a backup. A file under its final name is whole, however the backup or the server ended. */
export async function tryBackup(trial: BackupTrial): Promise<{ hit: boolean; problems: string[] }> {
  const { data, file, point, midway } = trial;
  const input: BackupInput = { data, file };
  const child = new Child('backup', {
    input,
    ...(point === null ? {} : { env: { HUBLINE_CRASH_AT: point } }),
  });
  const hit = point !== null || (await whilePartial(file, child, midway));
  const end = await child.ended;
  const problems: string[] = [];
  if (end !== (point === null ? 0 : 'SIGKILL'))
    problems.push(`the backup ended with ${end}: ${child.errors}`);
  if (point === null || point === 'backup.renamed') problems.push(...(await judgeBackup(trial)));
  else if (existsSync(file)) problems.push(`a backup that died at ${point} has its name`);
  for (const name of filesOf(file)) rmSync(join(dirname(file), name));
  return { hit, problems };
}

/** The files of a backup: the finished one, and the partial ones. */
const filesOf = (file: string): string[] =>
  readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)));

/** Calls `then` when the backup has begun to copy; `false` if it ended before that was noticed. */
async function whilePartial(file: string, child: Child, then: () => void): Promise<boolean> {
  while (child.running) {
    if (filesOf(file).some((name) => name.includes('.partial-'))) {
      then();
      return true;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return false;
}

/** Checks that a backup is whole, and contains everything acknowledged before it began. */
async function judgeBackup({ file, wanted }: BackupTrial): Promise<string[]> {
  if (!existsSync(file)) return ['there is no backup'];
  const problems = problemsOf(file).map((problem) => `backup: ${problem}`);
  const database = sqlite(file);
  const ids = new Set(
    (await database.all<{ id: IdBytes }>('select id from events')).map(({ id }) => idText('event', id)),
  );
  await database.close();
  const missing = wanted.filter((id) => !ids.has(id));
  return missing.length === 0
    ? problems
    : [...problems, `a backup lacks ${missing.length} acknowledged events`];
}
