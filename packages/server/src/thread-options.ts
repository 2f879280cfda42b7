import type { WorkerOptions } from 'node:worker_threads';

// A thread inherits the flags of its process, such as `--use-system-ca`. Node refuses `--input-type`, which is about a program given as
// text, beside a file; and of a list of flags all that are about the whole process, such as `--max-old-space-size`.
const isText = process.execArgv.some((flag) => flag.startsWith('--input-type'));

/** The options of every thread that runs a program of this package. */
export const THREAD_OPTIONS: WorkerOptions = isText
  ? { execArgv: process.execArgv.filter((flag) => /^--(?:conditions=|use-)/.test(flag)) }
  : {};
