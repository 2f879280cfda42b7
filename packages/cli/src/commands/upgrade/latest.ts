import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../../config/make-directory.ts';
import type { Context } from '../../context.ts';

const DAY_MS = 86_400_000;

type Cached = Pick<Context, 'cache' | 'globals' | 'now'>;

/** Stores the newest version that was found, for the notice of a later command. */
export function rememberLatest({ cache, globals }: Cached, version: string): void {
  if (!globals.dryRun) write(cache, 'latest-version', version);
}

/** The newest version that was found so far; `undefined` before the first check. */
export function latestKnown({ cache }: Cached): string | undefined {
  return read(cache, 'latest-version');
}

/** Claims the notice of today. `false` if another command has it: only one in 24 hours prints the notice and checks again. */
export function claimDailyNotice({ cache, now }: Cached): boolean {
  const last = Number(read(cache, 'notice-of-upgrade') ?? Number.NaN);
  // A clock that was set back must not silence the notice.
  if (now() - last < DAY_MS && now() >= last) return false;
  return write(cache, 'notice-of-upgrade', String(now()));
}

function read(cache: string | undefined, name: string): string | undefined {
  try {
    return cache && readFileSync(join(cache, name), 'utf8');
  } catch {
    return undefined;
  }
}

/** Writes a file; `false` if it cannot. Without the file, every command would print the notice and check again. */
function write(cache: string | undefined, name: string, text: string): boolean {
  if (cache === undefined) return false;
  try {
    makeDirectory(cache, 0o700);
    writeFileSync(join(cache, name), text, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}
