import { createClient } from '../../client/create-client.ts';
import { DEFAULT_BASE_URL, isLoopback, parseBaseUrl } from '../../config/base-url.ts';
import { requireApiKey } from '../../config/settings.ts';
import { loginStatus } from '../../config/login-status.ts';
import { usageError } from '../../errors.ts';
import { readSecret } from '../../input/read-secret.ts';
import { define } from '../../spec/command.ts';
import { loginStatusView } from '../../views/connection.ts';

export const command = define({
  path: 'auth login',
  summary: 'Check a key and save it, with its server, as a context.',
  description:
    'On a terminal the key is asked for. It is never taken from the command line, which ps and the history show.',
  endpoints: ['me.get'],
  flags: {
    'with-key': { type: 'boolean', summary: 'Read the key from stdin' },
    'key-file': { type: 'text', value: 'file', summary: 'Read the key from a file' },
  },
  examples: [
    'hubline auth login',
    'hubline auth login --with-key --base-url https://hub.example.com/v1 --context prod < key.txt',
  ],
  view: loginStatusView,
  say: ({ email, base_url, context }, style) =>
    `${style.green('✓')} Logged in to ${base_url} as ${email} (context ${context})`,
  async run(ctx, { flags: { withKey, keyFile } }) {
    const { globals, env } = ctx;
    if (withKey && keyFile !== undefined) throw usageError('Give --with-key or --key-file, not both.');
    const given = globals.baseUrl ?? env['HUBLINE_BASE_URL'];
    const asked = given === undefined && ctx.interactive ? await askBaseUrl() : given;
    const baseURL = parseBaseUrl(asked || DEFAULT_BASE_URL, '--base-url');
    const value = (await readKey()).trim();
    const source = { value: baseURL, source: 'this login' };
    const apiKey = requireApiKey({
      context: undefined,
      baseUrl: source,
      apiKey: { value, source: 'this login' },
      workspace: undefined,
    });
    const client = await createClient(ctx, { baseURL, apiKey });
    const me = await client.me.get(ctx.request);

    const config = await ctx.config();
    const name = globals.context ?? env['HUBLINE_CONTEXT'] ?? contextName(baseURL);
    const [only, ...more] = me.memberships;
    const workspace = globals.workspace ?? (more.length === 0 ? only?.workspace_id : undefined);
    const saved = { base_url: baseURL, ...(workspace !== undefined && { workspace }), api_key: apiKey };
    await ctx.saveConfig({ current: name, contexts: { ...config.contexts, [name]: saved } });
    return loginStatus(me, { context: name, base_url: baseURL, key_source: `context "${name}"`, workspace });

    async function askBaseUrl(): Promise<string> {
      return (await ctx.prompt('--base-url')).text(`Base URL (empty: ${DEFAULT_BASE_URL})`);
    }
    async function readKey(): Promise<string> {
      if (withKey) return readSecret(ctx, '-', '--with-key');
      if (keyFile !== undefined) return readSecret(ctx, keyFile, '--key-file');
      return (await ctx.prompt('--with-key')).secret('API key');
    }
  },
});

/** What a context is called when nobody names it: `local`, or the host. */
function contextName(baseURL: string): string {
  const { hostname } = new URL(baseURL);
  return isLoopback(hostname) ? 'local' : hostname;
}
