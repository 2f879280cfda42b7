import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../../config/make-directory.ts';
import type { Context } from '../../context.ts';

const DAY_MS = 86_400_000;

type Cached = Pick<Context, 'cache' | 'globals' | 'now'>;

/** Keeps the newest version that a look has found, for the notice of a later command. */
export function rememberLatest({ cache, globals }: Cached, version: string): void {
  if (!globals.dryRun) write(cache, 'latest-version', version);
}

/** The newest version that was found so far; `undefined` where nobody has looked. */
export function latestKnown({ cache }: Cached): string | undefined {
  return read(cache, 'latest-version');
}

/** Takes the turn of today. False where a command has had it: one in 24 hours may tell and look. */
export function takeTurn({ cache, now }: Cached): boolean {
  const last = Number(read(cache, 'notice-of-upgrade') ?? Number.NaN);
  // A clock that was put back does not silence it.
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

/** Reports whether there is a place for it. Where there is none, each command would tell and look. */
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
