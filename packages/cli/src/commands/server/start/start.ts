import type { SeedOwner, ServerConfig } from '@hubline/server';
import { resolve } from 'node:path';
import type { Context } from '../../../context.ts';
import { CommandError } from '../../../errors/errors.ts';
import { define } from '../../../spec/command.ts';
import { view } from '../../../spec/view.ts';
import { commandLineOf } from './command-line.ts';
import { databaseOf, given, SERVER_FLAGS } from '../flags.ts';
import { tuneV8 } from './tune-v8.ts';
import { announceServer, clientUrl } from '../server-file.ts';
import { variableWarnings } from '../variable-warnings.ts';
import { shellWord } from '../../../terminal/shell-word.ts';

interface Started {
  readonly url: string;
  readonly base_url: string;
  readonly pid: number;
  /** The URL to log in at. Like all fields below, it is left out of formats for programs, whose output is often logged. */
  readonly login_url?: string;
  /** The place of the data. */
  readonly storage?: string;
  /** The flag that names this storage to other commands. */
  readonly where?: string;
  /** One-time link to make the first owner. */
  readonly setup_url?: string;
  /** The owner that `--seed` made. */
  readonly owner?: SeedOwner;
}

export const command = define({
  path: 'server start',
  summary: 'Run the server, until Ctrl-C.',
  description:
    'On SIGTERM, SIGINT (Ctrl-C) and SIGHUP (a closed terminal) it finishes its current work and exits with code 0; a second SIGTERM or SIGINT ends it at once. It also stops by itself: with code 7 if the disk does not confirm a write, with 1 after a bug. --seed fills an empty database with an example, an invented company with a week of events, deliveries and automation runs, and keeps sending events; nothing leaves this machine. A database that has an owner stays as it is.',
  flags: {
    ...SERVER_FLAGS,
    seed: {
      type: 'boolean',
      summary: 'Fill an empty database with an example, and print the key and the password of its owner',
    },
  },
  live: true,
  drains: () => true,
  examples: [
    'hubline server start',
    'hubline server start --port 0 --data ./data --json',
    'hubline server start --seed',
    'hubline server start --domain hub.example.com --data /var/lib/hubline',
  ],
  view: view<Started>()({
    noun: ['server', 'servers'],
    fields: ['url', 'base_url', 'pid', 'login_url', 'storage', 'where', 'setup_url', 'owner'],
    columns: ['url', 'base_url', 'pid'],
    id: 'url',
  }),
  say: (
    { url, base_url, login_url = base_url, storage, where = '', setup_url: setup, owner },
    { green, bold, dim },
    { asTyped },
  ) => {
    const login = asTyped(`hubline auth login ${shellWord(login_url)}`);
    const row = (label: string, text: string): string => `  ${label.padEnd(9)}  ${text}`;
    return [
      `${green('●')} Hubline listens on ${bold(url)}`,
      row('API', base_url),
      ...(storage === undefined ? [] : [row('Storage', storage)]),
      ...(setup === undefined
        ? []
        : [
            row('Setup', bold(setup)),
            row('', dim('Creates the first owner; valid for 30 minutes. Without a browser:')),
            row('', dim(asTyped(`hubline server bootstrap ${where} --email you@example.com`))),
          ]),
      ...(owner
        ? [
            row('Owner', owner.email),
            row('Password', bold(owner.password)),
            row('', dim(`For ${url}, shown only now, like the key.`)),
            row('Key', bold(owner.key)),
          ]
        : []),
      row('Log in', login),
    ].join('\n');
  },
  async *run(ctx, { flags: { seed, ...flags } }): AsyncGenerator<Started> {
    const { hasDatabase, liveDemo, parseStartConfig, requireLimits, seedDatabase, startServer, tryPorts } =
      await import('@hubline/server');
    const config = parseStartConfig(given(flags), { ...ctx.env });
    requireLimits(config);
    const isNew = config.databaseUrl === undefined && !hasDatabase(config.data);
    const { server, owner } = await ctx.perform(
      `listen on ${placeOf(config)}, with ${databaseOf(config)}${seed ? ', and seed that if it is empty' : ''}`,
      async () => {
        // Checked first, so that a refused start leaves nothing behind.
        if (isNew) await tryPorts(config);
        if (seed && isNew)
          await ctx.note('The database is being filled with an example. This takes a few seconds.');
        const owner = seed ? await seedDatabase(config) : null;
        try {
          const commandLine = commandLineOf(ctx, config, flags);
          return {
            owner,
            server: await startServer(config, {
              ...(seed ? liveDemo() : {}),
              commandLine,
              warnings: await variableWarnings(ctx.env, config.databaseUrl),
            }),
          };
        } catch (error) {
          // There is an owner now. Without the password, nobody could log in once the server starts.
          if (owner) await reportOwner(ctx, owner);
          throw error;
        }
      },
    );
    await using running = server;
    ctx.onUnhandled(running.fail);
    const { url, baseUrl, publicUrl, setupUrl } = running;
    if (!running.hasDashboard)
      await ctx.note(
        'There is no dashboard and no /docs: they were not built. To build them and start the server, run this in the clone, with the same flags: npx -y pnpm@12 start',
      );
    if (seed && owner === null) await ctx.note('The database has an owner, so --seed does nothing.');
    // On PostgreSQL, several servers may share the directory.
    using _ =
      config.databaseUrl === undefined
        ? announceServer(config.data, { pid: process.pid, base_url: baseUrl, public_url: publicUrl })
        : undefined;
    if (ctx.machine && setupUrl !== null) await ctx.note(`Setup link, valid for 30 minutes: ${setupUrl}`);
    if (ctx.machine && owner !== null) await reportOwner(ctx, owner);
    const sqlite = config.databaseUrl === undefined;
    const people = {
      login_url: clientUrl({ base_url: baseUrl, public_url: publicUrl }),
      storage: sqlite ? `${resolve(config.data)}${isNew ? ' (new)' : ''}` : 'PostgreSQL',
      where: sqlite ? `--data ${shellWord(resolve(config.data))}` : '--database-url …',
      ...(setupUrl !== null && { setup_url: setupUrl }),
      ...(owner !== null && { owner }),
    };
    yield { url, base_url: baseUrl, pid: process.pid, ...(!ctx.machine && people) };
    tuneV8();
    const failure = await Promise.race([aborted(ctx.signal), server.failed]);
    if (failure?.name === 'DiskFailure') {
      throw new CommandError(
        'unavailable',
        failure.message,
        'Check the disk of the data directory, and start the server again.',
      );
    }
    if (failure) {
      throw new CommandError(
        'failure',
        `The server stopped because of a bug: ${failure.message}`,
        'Everything that it acknowledged is safe. Start it again, and report what its log says.',
      );
    }
  },
});

const placeOf = ({ domain, host, port, httpsPort, httpPort }: ServerConfig): string =>
  domain === undefined ? `${host}:${port}` : `${host}, ports ${httpsPort} and ${httpPort}, as ${domain}`;

async function reportOwner(ctx: Context, { email, key, password }: SeedOwner): Promise<void> {
  await ctx.report(`Key of ${email}, shown once: ${key}`);
  await ctx.report(`Password of ${email}, shown once: ${password}`);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });
}
