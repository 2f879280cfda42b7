import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Context } from '../../context.ts';
import type { BackedUp } from '../../views/backup.ts';
import { databaseOf } from './flags.ts';

/** A copy is written to until it gets its name: one that has not been touched for so long is left over. */
const LEFT_OVER_MS = 3_600_000;

interface Copying {
  readonly data: string | undefined;
  readonly databaseUrl: string | undefined;
  readonly force: boolean;
}

/**
 * Copies the database of a server on this machine into `file`, an absolute path. SQLite copies without a pause in which JavaScript
 * could run: Ctrl-C ends the process in the middle, and what it leaves unfinished the next copy removes.
 */
export async function copyDatabase(
  ctx: Context,
  file: string,
  { data, databaseUrl, force }: Copying,
): Promise<BackedUp> {
  const { backup, parseServerConfig } = await import('@hubline/server');
  const config = parseServerConfig({ data, databaseUrl }, { ...ctx.env });
  return ctx.perform(`copy ${databaseOf(config)} into ${file}`, async () => {
    await removeLeftOvers(file, ctx.now());
    return ctx.blocking(() => backup(config, file, { force }));
  });
}

async function removeLeftOvers(file: string, now: number): Promise<void> {
  const directory = dirname(file);
  const names = await readdir(directory).catch(() => []);
  const start = `${basename(file)}.partial-`;
  const partial = names.filter(
    (name) => name.startsWith(start) && /^[0-9a-f]{8}(?:-\w+)?$/.test(name.slice(start.length)),
  );
  for (const path of partial.map((name) => join(directory, name))) {
    const { mtimeMs } = await stat(path);
    if (now - mtimeMs > LEFT_OVER_MS) await rm(path, { force: true });
  }
}
