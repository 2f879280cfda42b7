import { resolve } from 'node:path';
import { CommandError, usageError } from '../../errors.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { databaseOf, given, SERVER_FLAGS } from './flags.ts';
import { type SeedOwner, seedServer } from './seed-server.ts';
import { announceServer } from './server-file.ts';

interface Started {
  readonly url: string;
  readonly base_url: string;
  readonly pid: number;
  /** Where it stores. Like all that follows not in formats for programs, whose output is often logged. */
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
    'SIGTERM and SIGINT finish what is under way and end with exit code 0; a second one ends at once. A disk that does not confirm a write ends it with 7, a bug with 1, both in the same order. --seed does what hubline seed does, once: a database that has an owner stays as it is.',
  flags: {
    ...SERVER_FLAGS,
    seed: {
      type: 'boolean',
      summary: 'Fill an empty database with example data, and print the key and the password of its owner',
    },
  },
  live: true,
  drains: true,
  examples: [
    'hubline server start',
    'hubline server start --port 0 --data ./data --json',
    'hubline server start --seed --allow-http-localhost',
  ],
  view: view<Started>()({
    noun: ['server', 'servers'],
    fields: ['url', 'base_url', 'pid', 'storage', 'where', 'setup_url', 'owner'],
    columns: ['url', 'base_url', 'pid'],
    id: 'url',
  }),
  say: (
    { url, base_url, storage, where = '', setup_url: setup, owner },
    { green, bold, dim },
    { asTyped },
  ) => {
    const login = asTyped(`hubline auth login ${base_url}`);
    const row = (label: string, text: string): string => `  ${label.padEnd(9)}  ${text}`;
    return [
      `${green('●')} Hubline listens on ${bold(url)}`,
      row('API', base_url),
      ...(storage === undefined ? [] : [row('Storage', storage)]),
      ...(setup === undefined
        ? []
        : [
            row('Set-up', bold(setup)),
            row('', dim('Opens once, to make the first owner. Without a browser:')),
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
    const { hasDatabase, parseServerConfig, startServer } = await import('@hubline/server');
    const config = parseServerConfig(given(flags), { ...ctx.env });
    if (seed && config.tlsCert !== undefined) {
      throw usageError(
        '--seed speaks HTTP to the server on this machine, which --tls-cert replaces by HTTPS.',
        'Seed it afterwards: hubline seed',
      );
    }
    const isNew = config.databaseUrl === undefined && !hasDatabase(config.data);
    await using server = await ctx.perform(
      `listen on ${config.host}:${config.port}, with ${databaseOf(config)}${seed ? ', and seed that if it is empty' : ''}`,
      () => startServer(config),
    );
    ctx.onUnhandled(server.fail);
    const { url, baseUrl } = server;
    const owner = seed ? await seedServer(ctx, config, server) : null;
    // Whoever has made the owner needs no link to make one.
    const setupUrl = owner === null ? server.setupUrl : null;
    // On PostgreSQL the directory is not its own: several servers may share one.
    using _ =
      config.databaseUrl === undefined
        ? announceServer(config.data, { pid: process.pid, base_url: baseUrl })
        : undefined;
    if (ctx.machine && setupUrl !== null) await ctx.note(`Set-up link, opens once: ${setupUrl}`);
    if (ctx.machine && owner !== null) {
      await ctx.tell(`Key of ${owner.email}, shown once: ${owner.key}`);
      await ctx.tell(`Password of ${owner.email}, shown once: ${owner.password}`);
    }
    const sqlite = config.databaseUrl === undefined;
    const people = {
      storage: sqlite ? `${resolve(config.data)}${isNew ? ' (new)' : ''}` : 'PostgreSQL',
      where: sqlite ? `--data ${resolve(config.data)}` : '--database-url …',
      ...(setupUrl !== null && { setup_url: setupUrl }),
      ...(owner !== null && { owner }),
    };
    yield { url, base_url: baseUrl, pid: process.pid, ...(!ctx.machine && people) };
    const failure = await Promise.race([aborted(ctx.signal), server.failed]);
    if (failure?.name === 'DiskFailure') {
      throw new CommandError(
        'unavailable',
        failure.message,
        'Check the disk of the data directory, and start it again.',
      );
    }
    if (failure) {
      throw new CommandError(
        'failure',
        `The server met a bug, and stopped: ${failure.message}`,
        'What was acknowledged is safe. Start it again, and report what its log says.',
      );
    }
  },
});

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });
}
