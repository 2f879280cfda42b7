import { askHealth } from '../../client/probe.ts';
import { Unreachable } from '../../client/unreachable.ts';
import { rootOf } from '../../config/base-url.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors/errors.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { STORAGE_FLAGS } from './flags.ts';
import { announcedServer, clientUrl } from './server-file.ts';
import { shellWord } from '../../terminal/shell-word.ts';

interface ServerStatus {
  /** `null` if no server runs in the directory. */
  readonly url: string | null;
  /** The process answers. */
  readonly live: boolean;
  /** It can reach its database and takes requests. */
  readonly ready: boolean;
  readonly message: string;
  /** The cure; `null` for none. */
  readonly cure: string | null;
}

export const command = define({
  path: 'server status',
  summary: 'Check that a server is running and ready. Needs no key. Exit code 9 if not.',
  flags: { data: { ...STORAGE_FLAGS.data, summary: 'Check the server that uses this data directory' } },
  examples: [
    'hubline server status',
    'hubline server status --data /var/lib/hubline',
    'hubline server status --base-url https://hub.example.com/v1 -q',
  ],
  view: view<ServerStatus>()({
    noun: ['server', 'servers'],
    fields: ['url', 'live', 'ready', 'message', 'cure'],
    columns: ['url', 'live', 'ready', { path: 'message', flexible: true }],
    id: 'url',
  }),
  say: ({ url, live, ready, message }, style) => {
    if (url === null) return `${style.red('●')} ${message}`;
    const state = ready ? 'ready' : live ? 'runs, but is not ready' : 'no Hubline server responds';
    return `${ready ? style.green('●') : style.red('●')} ${url}: ${state}`;
  },
  refusal: ({ ready, message, cure }) => (ready ? undefined : { message, hint: cure ?? '' }),
  async run(ctx, { flags: { data } }): Promise<ServerStatus> {
    const baseUrl = data === undefined ? (await ctx.settings()).baseUrl.value : await urlOf(ctx, data);
    if (baseUrl === null) {
      const [message, cure] = [
        `No server is running in ${data}.`,
        `Start it: hubline server start --data ${shellWord(data ?? '')}`,
      ];
      return { url: null, live: false, ready: false, message, cure };
    }
    const url = rootOf(baseUrl);
    try {
      const live = (await askHealth(ctx, `${url}/livez`)).health === 'ok';
      const readiness = live ? (await askHealth(ctx, `${url}/readyz`)).health : 'unavailable';
      const ready = readiness === 'ok';
      if (ready) return { url, live, ready, message: 'The server is ready.', cure: null };
      const message = live
        ? 'The server is running, but not accepting requests.'
        : 'Something responds there, but it is not Hubline.';
      const cure = live
        ? 'It is starting or stopping, or its database takes no writes, for example because the disk is full. See its log.'
        : 'Check the address.';
      return { url, live, ready, message, cure };
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      return { url, live: false, ready: false, message: error.message, cure: error.hint };
    }
  },
});

/** The URL of the server that runs in a data directory; `null` if none does. */
async function urlOf({ globals, env }: Context, data: string): Promise<string | null> {
  if (globals.baseUrl !== undefined)
    throw usageError('--data and --base-url name two servers.', 'Leave out one of them.');
  const { isInUse, parseServerConfig } = await import('@hubline/server');
  const config = parseServerConfig({ data }, { ...env });
  // The file of a server that was killed is still there.
  if (!isInUse(config.data)) return null;
  const announced = announcedServer(config.data);
  if (announced !== null) return clientUrl(announced);
  throw usageError(
    `The server in ${data} was not started from the command line, or is still starting.`,
    'Name its address with --base-url.',
  );
}
