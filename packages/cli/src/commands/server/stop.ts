import { resolve } from 'node:path';
import { pollPause } from '../../client/follow-list.ts';
import { CommandError, usageError } from '../../errors/errors.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { STORAGE_FLAGS } from './flags.ts';
import { announcedServer } from './server-file.ts';

interface Stopped {
  readonly pid: number;
  readonly data: string;
}

const LOOK_EVERY_MS = 100;

export const command = define({
  path: 'server stop',
  summary: 'Stop the server that uses a data directory, after it has finished its current work.',
  description:
    'For a server on SQLite that server start runs on this machine. Stop servers on PostgreSQL where they run: several may share a database. On Windows, which has no SIGTERM, running work is cut off.',
  flags: {
    ...STORAGE_FLAGS,
    within: {
      type: 'duration',
      value: 'duration',
      default: '1m',
      summary: 'Wait at most this long until it has stopped',
    },
  },
  examples: ['hubline server stop', 'hubline server stop --data /var/lib/hubline --within 2m'],
  view: view<Stopped>()({
    noun: ['server', 'servers'],
    fields: ['pid', 'data'],
    columns: ['pid', { path: 'data', flexible: true }],
    id: 'pid',
  }),
  say: ({ pid, data }, style) => `${style.green('✓')} Stopped the server in ${data} (process ${pid})`,
  async run(ctx, { flags: { within, ...storage } }): Promise<Stopped> {
    const { isInUse, parseServerConfig } = await import('@hubline/server');
    const { data, databaseUrl } = parseServerConfig(storage, { ...ctx.env });
    if (databaseUrl !== undefined) {
      throw usageError('A server on PostgreSQL must be stopped where it runs.', 'Send it SIGTERM.');
    }
    if (!isInUse(data))
      throw new CommandError(
        'not_found',
        `No server is running in ${resolve(data)}.`,
        'If it uses another directory, give that with --data.',
      );
    const announced = announcedServer(data);
    if (announced === null) {
      throw new CommandError(
        'not_found',
        `The server in ${data} was not started from the command line, or is still starting.`,
        'Stop it where it runs.',
      );
    }
    const { pid } = announced;
    await ctx.perform(`end process ${pid}, the server in ${data}`, () => end(pid));
    const until = ctx.now() + within;
    const pause = pollPause(ctx.signal, LOOK_EVERY_MS);
    // The lock is the last thing that a server releases.
    while (isInUse(data)) {
      if (ctx.now() >= until) {
        throw new CommandError(
          'check_failed',
          `Process ${pid} is still finishing its current work.`,
          'Allow more time with --within.',
        );
      }
      await pause(true, until - ctx.now());
    }
    return { pid, data };
  },
});

/** Asks a process to end. One that has ended already is fine. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH') return;
    if (code !== 'EPERM') throw error;
    throw new CommandError(
      'denied',
      `Process ${pid} belongs to another user.`,
      'Stop it as that user, or with sudo.',
    );
  }
}
