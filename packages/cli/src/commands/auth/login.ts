import type { Me } from '@hubline/contract/types';
import { dashboardPage } from '../../client/dashboard.ts';
import { openBrowser } from '../../client/open-browser.ts';
import { createClient } from '../../client/create-client.ts';
import { DEFAULT_BASE_URL, isLoopback, parseBaseUrl } from '../../config/base-url.ts';
import { requireApiKey } from '../../config/settings.ts';
import { loginStatus } from '../../config/login-status.ts';
import { usageError } from '../../errors.ts';
import { saveKey } from '../../keychain/saved-key.ts';
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
    browser: { type: 'boolean', summary: "Open the dashboard's page of keys, and ask for one made there" },
    'key-file': { type: 'text', value: 'file', summary: 'Read the key from a file' },
  },
  examples: [
    'hubline auth login',
    'hubline auth login --browser --base-url https://hub.example.com/v1',
    'hubline auth login --with-key --base-url https://hub.example.com/v1 --context prod < key.txt',
  ],
  view: loginStatusView,
  say: ({ email, base_url, context, key_source }, style) =>
    `${style.green('✓')} Logged in to ${base_url} as ${email} (context ${context}${key_source.startsWith('keychain') ? ', key in the system keychain' : ''})`,
  async run(ctx, { flags: { withKey, keyFile, browser } }) {
    const { globals, env } = ctx;
    if ([withKey, keyFile !== undefined, browser].filter(Boolean).length > 1) {
      throw usageError('Give one of --with-key, --key-file and --browser, not both.');
    }
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
    const workspace = globals.workspace ?? usualWorkspace(me, config.contexts[name]?.workspace);
    const key = await saveKey(ctx, name, apiKey);
    const saved = { base_url: baseURL, ...(workspace !== undefined && { workspace }), ...key };
    await ctx.saveConfig({ ...config, current: name, contexts: { ...config.contexts, [name]: saved } });
    const origin = `context "${name}"`;
    const key_source = key.key_in === 'keychain' ? `keychain, for ${origin}` : origin;
    return loginStatus(me, { context: name, base_url: baseURL, key_source, workspace });

    async function askBaseUrl(): Promise<string> {
      return (await ctx.prompt('--base-url')).text(`Base URL (empty: ${DEFAULT_BASE_URL})`);
    }
    async function readKey(): Promise<string> {
      if (withKey) return readSecret(ctx, '-', '--with-key');
      if (keyFile !== undefined) return readSecret(ctx, keyFile, '--key-file');
      const prompter = await ctx.prompt('--with-key');
      if (browser) await handOff();
      return prompter.secret('API key');
    }
    async function handOff(): Promise<void> {
      const url = await dashboardPage(ctx, baseURL, {
        page: 'keys',
        instead:
          'Make a key with hubline key create, or hubline server bootstrap on the machine of the server; then: hubline auth login',
      });
      const opened = !globals.dryRun && (await openBrowser(url));
      await ctx.note(`${opened ? 'Opened' : 'Open'} ${url}, make a key there, and paste it here.`);
    }
  },
});

/** The only workspace, or the one that was in use before, if the key can still see it. */
function usualWorkspace({ memberships }: Me, before: string | undefined): string | undefined {
  const [only, ...more] = memberships;
  if (more.length === 0) return only?.workspace_id;
  return memberships.some(({ workspace_id, slug }) => before === workspace_id || before === slug)
    ? before
    : undefined;
}

/** What a context is called when nobody names it: `local`, or the host. */
function contextName(baseURL: string): string {
  const { hostname } = new URL(baseURL);
  return isLoopback(hostname) ? 'local' : hostname;
}
