import type { Output } from './io.ts';

/** Progress of long work on stderr. It does nothing where nobody watches. */
export interface Progress {
  /** Begins work, such as `inviting`, with the number of items if that is known. */
  start(label: string, total?: number): void;
  /** Says what is waited for. */
  wait(label: string): void;
  /** Counts more items as done. */
  tick(count?: number): void;
  /** Makes room for other output; the next tick draws it again. */
  clear(): void;
}

/** Redrawing more often than this would flicker. */
const INTERVAL_MS = 100;
const BAR_WIDTH = 24;
const CLEAR = '\r\u001b[2K';

/** A progress bar for a terminal, or none: `quiet` has no notes, and a dumb terminal cannot go back in its line. */
export function createProgress(
  stderr: Output,
  {
    now,
    quiet,
    env,
  }: { now: () => number; quiet: boolean; env: Readonly<Record<string, string | undefined>> },
): Progress {
  let label = '';
  let total: number | undefined;
  let done = 0;
  let drawnAt = -Infinity;
  let drawn = false;
  let watched = false;
  const isWatched = (): boolean => !quiet && env['TERM'] !== 'dumb' && stderr.isTTY;
  const write = (text: string): void => {
    drawn = true;
    drawnAt = now();
    void stderr.write(`${CLEAR}${text.slice(0, stderr.columns - 1)}`);
  };
  const draw = (): void => write(`${label} ${progressText(done, total)}`);
  return {
    start: (what, of) => {
      [label, total, done] = [what, of, 0];
      watched = isWatched();
      if (watched) draw();
    },
    wait: (what) => {
      if (isWatched()) write(`${what} …`);
    },
    tick: (count = 1) => {
      done += count;
      if (watched && now() - drawnAt >= INTERVAL_MS) draw();
    },
    clear: () => {
      if (drawn) void stderr.write(CLEAR);
      drawn = false;
    },
  };
}

/** `[#####               ] 12/41`, or the number alone where the end is not known. */
function progressText(done: number, total: number | undefined): string {
  if (total === undefined) return String(done);
  const filled = total === 0 ? BAR_WIDTH : Math.round((BAR_WIDTH * Math.min(done, total)) / total);
  return `[${'#'.repeat(filled).padEnd(BAR_WIDTH)}] ${done}/${total}`;
}
