import { isMainThread } from 'node:worker_threads';
import type { Chaos, CrashPoint } from './chaos.ts';
import { plantBug } from './planted-bugs.ts';
import { onPrepare } from './prepare.ts';

/**
 * `commit.begun:3`: die when that point is reached for the third time. `job.worked:1:mail`: only jobs of that kind
 * count. `sender.sent:3`: only a sender dies, at its third call.
 */
const [name, count = '1', only] = (process.env['HUBLINE_CRASH_AT'] ?? '').split(':');
let left = Number(count);
let migrating = false;

/**
 * `#chaos` in crash tests: at the chosen point the process dies as if by `kill -9`, in the middle of its work.
 */
export const chaos: Chaos = { reach };

function reach(point: CrashPoint, kind?: string): void {
  if (point === 'migration.begun') migrating = true;
  if (point === 'migration.applied') migrating = false;
  if (point === 'attempt.sent' && name === 'sender.sent' && !isMainThread) endSender();
  if (point !== name || (only !== undefined && kind !== only)) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

function endSender(): void {
  left -= 1;
  if (left > 0) return;
  // Nothing catches this error: it ends this thread, and no other.
  process.nextTick(() => {
    throw new Error('a crash test ends this sender');
  });
}

// Each statement of a migration is a point, which has no line in the code.
onPrepare((sql, prepare) => {
  if (migrating) reach('migration.statement');
  return prepare(sql);
});

plantBug(process.env['HUBLINE_PLANTED_BUG']);
