import { probe } from '../../client/probe.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';

interface ServerStatus {
  readonly url: string;
  /** The process answers. */
  readonly live: boolean;
  /** It can reach its database and takes requests. */
  readonly ready: boolean;
  readonly message: string;
}

export const command = define({
  path: 'server status',
  summary: 'Ask a server whether it is there and ready. Needs no key. Exit code 9 if not.',
  examples: ['hubline server status', 'hubline server status --base-url https://hub.example.com/v1 -q'],
  view: view<ServerStatus>()({
    noun: ['server', 'servers'],
    fields: ['url', 'live', 'ready', 'message'],
    columns: ['url', 'live', 'ready', { path: 'message', flexible: true }],
    id: 'url',
  }),
  say: ({ url, ready, message }, style) => `${ready ? style.green('●') : style.red('●')} ${url}: ${message}`,
  refusal: ({ ready, message }) => (ready ? undefined : `The server is not ready: ${message}.`),
  async run(ctx): Promise<ServerStatus> {
    const { baseUrl } = await ctx.settings();
    const url = baseUrl.value.replace(/\/v\d+$/, '');
    const ask = async (path: string): Promise<number> => (await probe(ctx, url + path)).status;
    try {
      const live = (await ask('/livez')) < 400;
      const ready = (await ask('/readyz')) < 400;
      return {
        url,
        live,
        ready,
        message: ready ? 'ready' : live ? 'up, but not ready' : 'it answers with errors',
      };
    } catch (error) {
      if (ctx.signal.aborted) throw error;
      return { url, live: false, ready: false, message: (error as Error).message };
    }
  },
});
