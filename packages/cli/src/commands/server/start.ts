import type { RunningServer, ServerConfig } from '@hubline/server';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { createClient } from '../../client/create-client.ts';
import type { Context } from '../../context.ts';
import { CommandError, usageError } from '../../errors/errors.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { makeSeeds } from '../seed/make-seeds.ts';
import { defaultPlan } from '../seed/plan.ts';
import { databaseOf, given, SERVER_FLAGS } from './flags.ts';
import { announceServer } from './server-file.ts';

/** The first owner and the proofs of it: the key for programs, the password for the dashboard. */
interface SeedOwner {
  readonly email: string;
  readonly key: string;
  readonly password: string;
}

const EMAIL = 'owner@demo.test';
const EVENTS = 50;

/**
 * Fills the database of a server that nobody owns yet, as `hubline seed` does, and gives its owner. Where there is an owner already
 * it leaves everything alone: a server that is started again with the same flags just starts.
 */
async function seedServer(
  ctx: Context,
  config: ServerConfig,
  { baseUrl, setupUrl }: Pick<RunningServer, 'baseUrl' | 'setupUrl'>,
): Promise<SeedOwner | null> {
  if (setupUrl === null) {
    await ctx.note('The database is not empty: --seed leaves it as it is.');
    return null;
  }
  const { bootstrap, setUserPassword } = await import('@hubline/server');
  const { api_key: key } = await bootstrap(config, { email: EMAIL });
  const password = randomBytes(12).toString('base64url');
  await setUserPassword(config, { email: EMAIL, password });
  try {
    const client = await createClient(ctx, { baseURL: baseUrl, apiKey: key });
    for await (const { slug, members, events } of makeSeeds(ctx, client, defaultPlan(1, EVENTS))) {
      ctx.progress.clear();
      await ctx.note(`Made the workspace ${slug} with ${members} invitations and ${events} events.`);
    }
  } catch (error) {
    // There is an owner now, also after Ctrl-C: without key and password nobody could go on.
    await ctx.warn(`Seeding stopped: ${(error as Error).message}`);
  }
  return { email: EMAIL, key, password };
}

interface Started {
  readonly url: string;
  readonly base_url: string;
  readonly pid: number;
  /** The place of the data. Like all that follows, it is not in formats for programs, whose output is often logged. */
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
