import type { Chaos, CrashPoint } from './chaos.ts';

/** `commit.begun:3`: die when that point is reached for the third time. */
const [name, count = '1'] = (process.env['HUBLINE_CRASH_AT'] ?? '').split(':');
let left = Number(count);

/** What the crash tests run: at the chosen point the process dies as by `kill -9`, in the middle of what it does. */
export const chaos: Chaos = {
  reach(point: CrashPoint) {
    if (point !== name) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  },
};
