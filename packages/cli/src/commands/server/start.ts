import { define } from '../../spec/command.ts';
import type { FlagTable } from '../../spec/flag.ts';
import { view } from '../../spec/view.ts';
import { STORAGE_FLAGS } from './flags.ts';

interface Started {
  readonly url: string;
  readonly base_url: string;
  readonly pid: number;
  /** One-time link to make the first owner. Not in formats for programs, whose output is often logged. */
  readonly setup_url?: string;
}

/** As given to the server, which checks them and knows their defaults; each can also come from `HUBLINE_<FLAG>`. */
const SERVER_FLAGS = {
  host: { type: 'text', value: 'address', summary: 'Address to listen on (server default: 127.0.0.1)' },
  port: {
    type: 'text',
    value: 'port',
    summary: 'Port to listen on, 0 for a free one (server default: 8787)',
  },
  ...STORAGE_FLAGS,
  'allow-http-localhost': {
    type: 'boolean',
    summary: 'Let webhooks call http:// on this machine, for development',
  },
  'behind-proxy': { type: 'boolean', summary: 'Trust X-Forwarded-Proto of a proxy that terminates TLS' },
  'tls-cert': { type: 'text', value: 'file', summary: 'Certificate (PEM), to serve HTTPS' },
  'tls-key': { type: 'text', value: 'file', summary: 'Key of the certificate (PEM)' },
  'public-url': { type: 'text', value: 'url', summary: 'Address at which others reach the server' },
  'rate-limit': {
    type: 'text',
    value: 'n',
    summary: 'Requests per minute and workspace (server default: 1000)',
  },
  'retain-events-days': {
    type: 'text',
    value: 'n',
    summary: 'Keep events for this many days, 0 for ever (server default: 90)',
  },
  'retain-deliveries-days': {
    type: 'text',
    value: 'n',
    summary: 'Keep ended deliveries and their attempts, 0 for ever (server default: 30)',
  },
  'retain-audit-days': {
    type: 'text',
    value: 'n',
    summary: 'Keep the audit log, 0 for ever (server default: 365)',
  },
  burst: { type: 'text', value: 'n', summary: 'Most requests in one second (server default: off)' },
  'log-format': {
    type: 'text',
    value: 'pretty|json',
    summary: 'Format of the log on stderr (server default: pretty)',
  },
} as const satisfies FlagTable;

export const command = define({
  path: 'server start',
  summary: 'Run the server, until Ctrl-C.',
  description:
    'SIGTERM and SIGINT finish what is under way and end with exit code 0; a second one ends at once.',
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
    await using server = await startServer(parseServerConfig(given(flags), { ...ctx.env }));
    const { url, baseUrl, setupUrl } = server;
    if (ctx.machine && setupUrl !== null) await ctx.note(`Set-up link, opens once: ${setupUrl}`);
    yield {
      url,
      base_url: baseUrl,
      pid: process.pid,
      ...(!ctx.machine && setupUrl !== null && { setup_url: setupUrl }),
    };
    await aborted(ctx.signal);
  },
});

/** A switch that is not on is left to the environment. */
function given(
  flags: Readonly<Record<string, string | boolean | undefined>>,
): Record<string, string | boolean> {
  return Object.fromEntries(
    Object.entries(flags).filter(
      (entry): entry is [string, string | boolean] => entry[1] !== undefined && entry[1] !== false,
    ),
  );
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
