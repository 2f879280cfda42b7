/**
 * The programs that tests start in their own processes, by their source. A start from sources loads some 900 files and takes two
 * seconds of CPU, a start from a bundle half of that, and the tests start hundreds.
 */
import { basename, join, relative } from 'node:path';
import { root } from '../workspace.ts';

const CLI = 'packages/cli/src/bin.ts';
const SERVER_TESTS = 'packages/server/test';
const HARNESS = `${SERVER_TESTS}/crash/harness`;

/** Sources of programs, from the root. Programs with crash points have their own bundle: an import condition selects the crash points. */
export const PROGRAMS = {
  plain: [
    CLI,
    'packages/dashboard/test/support/pages-process.ts',
    'packages/dashboard/test/support/seeded-process.ts',
    `${SERVER_TESTS}/faults/disk-process.ts`,
    `${SERVER_TESTS}/operations/server-process.ts`,
    `${SERVER_TESTS}/ssrf/attempts-process.ts`,
  ],
  chaos: [
    `${HARNESS}/server.process.ts`,
    `${HARNESS}/witness.process.ts`,
    `${HARNESS}/backup.process.ts`,
    `${HARNESS}/migrate.process.ts`,
    `${SERVER_TESTS}/api/support/crashing-server.ts`,
  ],
} as const;

/** The variable that names the folder of the bundles, set for a run of the tests. Without it, programs run from their sources. */
export const BUNDLES = 'HUBLINE_TEST_PROGRAMS';

/** The programs of threads, which the server looks for in the folder of its own file. */
export const THREADS = [
  'packages/server/src/delivery/senders/sender-thread.ts',
  'packages/server/src/backups/copy/copy-thread.ts',
  'packages/server/src/http/front/http-thread.ts',
  'packages/server/src/providers/calls/call-thread.ts',
];

/** The variable that names a built file of hubline (`pnpm build:binary`), for tests to run instead of the sources. */
const BINARY = 'HUBLINE_TEST_BINARY';

/** The command line of hubline: a program, and its first arguments. */
export function hublineCommand(): [file: string, ...args: string[]] {
  const binary = process.env[BINARY];
  return binary ? [binary] : [process.execPath, ...programArguments(join(root, CLI))];
}

/** The arguments for Node that start a program from its bundle, or else from its source. */
export function programArguments(source: string): string[] {
  const path = relative(root, source);
  const folder = process.env[BUNDLES];
  const chaos = PROGRAMS.chaos.some((known) => known === path);
  if (folder !== undefined && (chaos || PROGRAMS.plain.some((known) => known === path)))
    return [join(folder, chaos ? 'chaos' : 'plain', basename(path).replace(/\.ts$/, '.js'))];
  return ['--conditions=hubline-source', ...(chaos ? ['--conditions=hubline-chaos'] : []), source];
}
