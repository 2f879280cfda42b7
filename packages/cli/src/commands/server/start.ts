import { CommandError } from '../../errors.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { databaseOf, given, SERVER_FLAGS } from './flags.ts';
import { announceServer } from './server-file.ts';

interface Started {
  readonly url: string;
  readonly base_url: string;
  readonly pid: number;
  /** One-time link to make the first owner. Not in formats for programs, whose output is often logged. */
  readonly setup_url?: string;
}

export const command = define({
  path: 'server start',
  summary: 'Run the server, until Ctrl-C.',
  description:
    'SIGTERM and SIGINT finish what is under way and end with exit code 0; a second one ends at once. A disk that does not confirm a write ends it with 7.',
  flags: SERVER_FLAGS,
  live: true,
  drains: true,
  examples: [
    'hubline server start',
    'hubline server start --port 0 --data ./data --json',
    'hubline server start --allow-http-localhost',
  ],
  view: view<Started>()({
    noun: ['server', 'servers'],
    fields: ['url', 'base_url', 'pid', 'setup_url'],
    columns: ['url', 'base_url', 'pid'],
    id: 'url',
  }),
  say: ({ url, base_url, setup_url: setup }, style) =>
    [
      `${style.green('●')} Hubline listens on ${style.bold(url)}`,
      `  API       ${base_url}`,
      ...(setup
        ? [`  Set-up    ${style.bold(setup)}`, style.dim('            Opens once, to make the first owner.')]
        : []),
    ].join('\n'),
  async *run(ctx, { flags }) {
    const { parseServerConfig, startServer } = await import('@hubline/server');
    const config = parseServerConfig(given(flags), { ...ctx.env });
    await using server = await ctx.perform(
      `listen on ${config.host}:${config.port}, with ${databaseOf(config)}`,
      () => startServer(config),
    );
    const { url, baseUrl, setupUrl } = server;
    // On PostgreSQL the directory is not its own: several servers may share one.
    using _ =
      config.databaseUrl === undefined
        ? announceServer(config.data, { pid: process.pid, base_url: baseUrl })
        : undefined;
    if (ctx.machine && setupUrl !== null) await ctx.note(`Set-up link, opens once: ${setupUrl}`);
    yield {
      url,
      base_url: baseUrl,
      pid: process.pid,
      ...(!ctx.machine && setupUrl !== null && { setup_url: setupUrl }),
    };
    const failure = await Promise.race([aborted(ctx.signal), server.failed]);
    if (failure) throw new CommandError('unavailable', failure.message);
  },
});

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
