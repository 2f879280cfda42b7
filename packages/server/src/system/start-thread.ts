import { Worker, type WorkerOptions } from 'node:worker_threads';
import { type ThreadName, threadProgram } from '#assets';

// A thread inherits the flags of its process, such as `--use-system-ca`. With `--input-type`, which is for a program given
// as text, Node refuses to run a file. Such a process passes its flags as a list instead, without those that Node refuses
// for a thread, such as `--max-old-space-size`.
const isText = process.execArgv.some((flag) => flag.startsWith('--input-type'));

const FLAGS: WorkerOptions = isText
  ? { execArgv: process.execArgv.filter((flag) => /^--(?:conditions=|use-)/.test(flag)) }
  : {};

/** Starts a thread that runs a program of this package. A file instead of its name is for tests. */
export function startThread(name: ThreadName | URL, options: WorkerOptions): Worker {
  const program = name instanceof URL ? { file: name } : threadProgram(name);
  return 'file' in program
    ? new Worker(program.file, { ...FLAGS, ...options })
    : new Worker(program.text, { ...FLAGS, ...options, eval: true });
}
