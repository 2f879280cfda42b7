import { askHealth } from '../../client/probe.ts';
import { Unreachable } from '../../client/unreachable.ts';
import { rootOf } from '../../config/base-url.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';

interface ServerStatus {
  readonly url: string;
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
  summary: 'Check that a server runs and is ready. Needs no key. Exit code 9 if not.',
  examples: ['hubline server status', 'hubline server status --base-url https://hub.example.com/v1 -q'],
  view: view<ServerStatus>()({
    noun: ['server', 'servers'],
    fields: ['url', 'live', 'ready', 'message', 'cure'],
    columns: ['url', 'live', 'ready', { path: 'message', flexible: true }],
    id: 'url',
  }),
  say: ({ url, live, ready }, style) => {
    const state = ready ? 'ready' : live ? 'runs, but is not ready' : 'no Hubline server responds';
    return `${ready ? style.green('●') : style.red('●')} ${url}: ${state}`;
  },
  refusal: ({ ready, message, cure }) => (ready ? undefined : { message, hint: cure ?? '' }),
  async run(ctx): Promise<ServerStatus> {
    const { baseUrl } = await ctx.settings();
    const url = rootOf(baseUrl.value);
    try {
      const live = (await askHealth(ctx, `${url}/livez`)).health === 'ok';
      const readiness = live ? (await askHealth(ctx, `${url}/readyz`)).health : 'unavailable';
      const ready = readiness === 'ok';
      if (ready) return { url, live, ready, message: 'The server is ready.', cure: null };
      const message = live
        ? 'The server runs, but does not accept requests now.'
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
