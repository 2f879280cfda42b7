import type { Me } from '@hubline/contract/types';
import { createClient } from '../../client/create-client.ts';
import { dashboardPage, openBrowser } from '../../client/dashboard.ts';
import { findServer } from '../../client/probe.ts';
import { DEFAULT_BASE_URL, originOf, parseBaseUrl } from '../../config/base-url.ts';
import type { Config, SavedContext } from '../../config/config-file.ts';
import { connectionInfo, loginStatus, loginStatusView } from '../../config/connections.ts';
import { forgetKey, loadKey, saveKey } from '../../config/saved-key.ts';
import { checkKey, first } from '../../config/settings.ts';
import type { Context } from '../../context.ts';
import { CommandError, usageError } from '../../errors/errors.ts';
import { readSecret } from '../../input/read-input.ts';
import { define } from '../../spec/command.ts';

export const command = define({
  path: 'auth login',
  summary: 'Check a key and save it, with its server, as a context.',
  description:
    'On a terminal it asks for the server and the key. A key is never taken from the command line, where ps and the history show it. It is saved for this server and sent to no other. The context is named after the host and port, unless --context is given. It asks before it replaces another key there, unless --force is given.',
  endpoints: ['me.get'],
  args: {
    server: { summary: 'Address, such as 127.0.0.1:8787 or https://hub.example.com', optional: true },
  },
  flags: {
    'with-key': { type: 'boolean', summary: 'Read the key from stdin' },
    browser: {
      type: 'boolean',
      summary: "Open the dashboard's API keys page, and ask for a key created there",
    },
    'key-file': { type: 'text', value: 'file', summary: 'Read the key from a file' },
    force: { type: 'boolean', summary: 'Replace the key that is saved under this name' },
  },
  examples: [
    'hubline auth login',
    'hubline auth login https://hub.example.com --browser',
    'hubline auth login https://hub.example.com --with-key --context prod < key.txt',
  ],
  view: loginStatusView,
  say: ({ email, base_url, context, key_source }, style) =>
    `${style.green('✓')} Logged in to ${base_url} as ${email} (context ${context}${key_source.startsWith('keychain') ? ', key in the system keychain' : ''})`,
  async run(ctx, { args: { server }, flags: { withKey, keyFile, browser, force } }) {
    const { globals, env } = ctx;
    if ([withKey, keyFile !== undefined, browser].filter(Boolean).length > 1) {
      throw usageError('Give only one of --with-key, --key-file and --browser.', 'Leave out the others.');
    }
    if (server !== undefined && globals.baseUrl !== undefined) {
      throw usageError('The server is given twice.', 'Leave out --base-url.');
    }
    // Mistakes in the flags are found before any server is asked.
    const given = await givenKey(ctx, { withKey, keyFile });
    const prompter = given === undefined ? await ctx.prompt('--with-key') : undefined;
    const config = await ctx.config();
    const named = globals.context ?? env['HUBLINE_CONTEXT'];
    const known =
      server === undefined
        ? first(
            [globals.baseUrl, '--base-url'],
            [env['HUBLINE_BASE_URL'], 'HUBLINE_BASE_URL'],
            [named === undefined ? undefined : savedAs(config, named)?.base_url, `context "${named}"`],
          )
        : { value: server, source: 'The server' };
    const asked = async (): Promise<string> => (ctx.interactive ? await askServer(ctx) : DEFAULT_BASE_URL);
    const address = known ?? { value: await asked(), source: 'The server' };
    const baseURL = await findServer(ctx, parseBaseUrl(address.value, address.source));
    if (browser) await handOff(ctx, baseURL);
    const apiKey = given ?? checked((await prompter?.secret('API key')) ?? '');
    const client = await createClient(ctx, { baseURL, apiKey });
    const me = await client.me.get(ctx.request);

    const name = named ?? new URL(baseURL).host;
    await assertReplaceable(ctx, name, { baseURL, apiKey, force });
    const before = savedAs(config, name);
    const workspace = await chooseWorkspace(ctx, me, before?.workspace);
    const { saved: key, warn } = await saveKey(ctx, name, { base_url: baseURL, key: apiKey });
    const saved = { base_url: baseURL, ...(workspace !== undefined && { workspace }), ...key };
    await ctx.saveConfig({ ...config, current: name, contexts: { ...config.contexts, [name]: saved } });
    await warn();
    // The old key goes last, so that a login that cannot be saved loses nothing. An entry of the same server has the new key already.
    const replaced = key.key_in === 'keychain' && before && originOf(before.base_url) === originOf(baseURL);
    if (before && !replaced) await forgetKey(ctx, name, before);
    if (!ctx.machine) ctx.noteBelow(ctx.style.dim(nextStep(me, workspace)));
    const origin = `context "${name}"`;
    const key_source = key.key_in === 'keychain' ? `keychain, for ${origin}` : origin;
    return loginStatus(me, { context: name, base_url: baseURL, key_source, workspace });
  },
});

/** The saved context of a name, which may also be a word such as `constructor`. */
const savedAs = ({ contexts }: Config, name: string): SavedContext | undefined =>
  Object.hasOwn(contexts, name) ? contexts[name] : undefined;

const checked = (text: string): string => checkKey({ value: text.trim(), source: 'this login' });

/** The key from stdin or a file; `undefined` if it has to be asked for. */
async function givenKey(
  ctx: Context,
  { withKey, keyFile }: { withKey: boolean; keyFile: string | undefined },
): Promise<string | undefined> {
  if (withKey) return checked(await readSecret(ctx, '-', '--with-key'));
  return keyFile === undefined ? undefined : checked(await readSecret(ctx, keyFile, '--key-file'));
}

/** Shows the page on which keys are made. */
async function handOff(ctx: Context, baseURL: string): Promise<void> {
  const url = await dashboardPage(ctx, baseURL, {
    page: 'keys',
    instead:
      "Create a key with hubline key create, or with hubline server bootstrap on the server's machine. Then: hubline auth login",
  });
  const problem = ctx.globals.dryRun ? null : await openBrowser(url, ctx.env);
  const where =
    problem === null
      ? `Opened ${url}.`
      : `The browser could not be opened: ${problem}. Open ${url} yourself.`;
  await ctx.report(`${where} Create a key there, and paste it here.`);
}

function nextStep({ memberships }: Me, workspace: string | undefined): string {
  if (workspace !== undefined) return 'See what comes in: hubline event tail';
  if (memberships.length === 0) return 'Create a workspace: hubline workspace create';
  const slugs = memberships.map(({ slug }) => slug).join(', ');
  return `Choose a workspace, one of ${slugs}: hubline workspace use <slug>`;
}

async function askServer(ctx: Context): Promise<string> {
  const { host } = new URL(DEFAULT_BASE_URL);
  const answer = await (await ctx.prompt('--base-url')).text(`Server (empty: ${host})`);
  return answer.trim() || DEFAULT_BASE_URL;
}

/** Lets a login pass that replaces nothing. Replacing another key, or the server of a context, needs a confirmation. */
async function assertReplaceable(
  ctx: Context,
  name: string,
  { baseURL, apiKey, force }: { baseURL: string; apiKey: string; force: boolean },
): Promise<void> {
  const config = await ctx.config();
  const saved = savedAs(config, name);
  if (!saved || force || ctx.globals.yes) return;
  const { base_url, key } = connectionInfo(config, name);
  if (originOf(base_url) === originOf(baseURL)) {
    // A key that cannot be read now may be another one.
    if (key === null || (await loadKey(ctx, name, saved).catch(() => undefined)) === apiKey) return;
  }
  const there = `The context "${name}" is for ${base_url}${key === null ? '' : ` and holds the key ${key}`}.`;
  const cure = `To keep both: --context <name>. To replace it: --force`;
  if (!ctx.interactive) throw new CommandError('conflict', there, cure);
  if (ctx.globals.dryRun) return;
  if (await (await ctx.prompt('--force')).confirm(`${there} Replace it?`)) return;
  throw new CommandError('usage', 'Cancelled: nothing was changed.', 'To keep both: --context <name>');
}

/** The ID of the workspace to act in: the one that was asked for, the only one, the previous one, or the one that is chosen now. */
async function chooseWorkspace(
  ctx: Context,
  { memberships }: Me,
  before: string | undefined,
): Promise<string | undefined> {
  const find = (wanted: string | undefined): string | undefined =>
    memberships.find(({ workspace_id, slug }) => wanted === workspace_id || wanted === slug)?.workspace_id;
  const { workspace } = ctx.globals;
  if (workspace !== undefined) {
    const found = find(workspace);
    if (found !== undefined) return found;
    const slugs = memberships.map(({ slug }) => slug).join(', ') || 'none';
    throw new CommandError(
      'not_found',
      `There is no workspace "${workspace}" that this key can see.`,
      `It can see: ${slugs}.`,
    );
  }
  const [only, ...more] = memberships;
  if (more.length === 0) return only?.workspace_id;
  const usual = find(before);
  if (usual !== undefined || !ctx.interactive || ctx.globals.dryRun) return usual;
  const prompter = await ctx.prompt('--workspace');
  return find(
    await prompter.choose(
      'Workspace',
      memberships.map(({ slug }) => slug),
    ),
  );
}
