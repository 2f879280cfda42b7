import { LIMITS } from '@hubline/contract/constants';
import { isAPIError } from '@hubline/sdk';
import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { canProxy } from '../../client/create-client.ts';
import { askHealth } from '../../client/probe.ts';
import { Unreachable } from '../../client/unreachable.ts';
import { rootOf } from '../../config/base-url.ts';
import { configFile } from '../../config/config-file.ts';
import { loginCommand } from '../../config/settings.ts';
import type { Context } from '../../context.ts';
import { CommandError } from '../../errors/errors.ts';
import { relativeTime } from '../../output/time.ts';
import { version } from '../../about.ts';
import { shellWord } from '../../terminal/shell-word.ts';

/** The result of a check. */
export interface Finding {
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly message: string;
  /** The cure. */
  readonly cure?: string;
  /** Applies the cure. */
  readonly fix?: () => string;
}

/** A check. Checks run in order, because later ones need the findings of earlier ones. */
export interface Check {
  readonly name: string;
  /** True if it asks the server. It is skipped if that does not respond. */
  readonly needsServer?: true;
  run(ctx: Context): Promise<Finding>;
}

const ok = (message: string): Finding => ({ status: 'ok', message });
const OTHERS = 0o077;
/** With a larger difference, webhook timestamps look too old. */
const SKEW_MS = 60_000;
const EXPIRES_SOON_MS = 7 * 86_400_000;

export const checks: readonly Check[] = [
  {
    name: 'program',
    run: async () => ok(`hubline ${version} on Node.js ${process.versions.node}, ${process.platform}`),
  },
  { name: 'configuration', run: async (ctx) => checkConfiguration(ctx) },
  { name: 'leftovers', run: async (ctx) => checkLeftovers(ctx.configDirectory()) },
  { name: 'keychain', run: checkKeychain },
  { name: 'settings', run: checkSettings },
  { name: 'environment', run: async (ctx) => checkEnvironment(ctx) },
  { name: 'server', run: checkServer },
  { name: 'key', needsServer: true, run: checkKey },
  { name: 'workspace', needsServer: true, run: checkWorkspace },
  { name: 'integrations', needsServer: true, run: checkIntegrations },
];

function modeOf(path: string): number | undefined {
  try {
    return lstatSync(path).mode;
  } catch {
    return undefined;
  }
}

async function checkConfiguration(ctx: Context): Promise<Finding> {
  const directory = ctx.configDirectory();
  const file = configFile(directory);
  const mode = modeOf(file);
  if (mode === undefined) return ok('no login is saved on this machine yet');
  const loose = process.platform !== 'win32' && ((mode | (modeOf(directory) ?? 0)) & OTHERS) !== 0;
  if (loose) {
    return {
      status: 'failed',
      message: `others can read ${file}, which may hold keys`,
      cure: `chmod 700 ${shellWord(directory)}; chmod 600 ${shellWord(file)}`,
      fix: () => {
        chmodSync(directory, 0o700);
        chmodSync(file, 0o600);
        return 'made it readable only by you';
      },
    };
  }
  const count = Object.keys((await ctx.config()).contexts).length;
  // Windows has access lists, which Node does not read.
  const readers = process.platform === 'win32' ? '' : ', and only you can read it';
  return ok(`${file} has ${count} ${count === 1 ? 'context' : 'contexts'}${readers}`);
}

/** Finds files that a crash between writing and renaming left behind; they may hold a key. */
function checkLeftovers(directory: string): Finding {
  let names: string[];
  try {
    names = readdirSync(directory).filter((name) => /^config\.json\.[0-9a-f]{12}$|\.new$/.test(name));
  } catch {
    names = [];
  }
  if (names.length === 0) return ok('no unfinished files from a crash');
  return {
    status: 'warning',
    message: `left over from a crash: ${names.join(', ')}`,
    cure: `Remove them from ${directory}.`,
    fix: () => {
      for (const name of names) rmSync(join(directory, name), { force: true });
      return 'removed them';
    },
  };
}

async function checkKeychain(ctx: Context): Promise<Finding> {
  const fallback = 'auth login saves keys in the configuration file';
  const keychain = await ctx.keychain();
  if (!keychain) return { status: 'skipped', message: `switched off, or not available: ${fallback}` };
  try {
    await keychain.get('hubline doctor');
    return ok('auth login saves keys in the keychain of the system');
  } catch {
    return { status: 'skipped', message: `it cannot be used: ${fallback}` };
  }
}

async function checkSettings(ctx: Context): Promise<Finding> {
  const { baseUrl, apiKey, context, withheld } = await ctx.settings();
  if (!apiKey) {
    const message = [`no key for ${baseUrl.value}.`, withheld].filter(Boolean).join(' ');
    return { status: 'failed', message, cure: loginCommand(baseUrl.value) };
  }
  return ok(
    `the server is ${baseUrl.value} (from ${baseUrl.source}); the key is from ${apiKey.source}${context ? '' : '; no saved context is used'}`,
  );
}

function checkEnvironment({ env }: Context): Finding {
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    return {
      status: 'warning',
      message: 'NODE_TLS_REJECT_UNAUTHORIZED=0 turns off certificate checks',
      cure: 'Unset it, and name your own authority in NODE_EXTRA_CA_CERTS.',
    };
  }
  const proxy = env['https_proxy'] || env['HTTPS_PROXY'];
  if (!proxy) return ok('no proxy is used, and certificates are checked');
  if (!canProxy()) {
    return {
      status: 'warning',
      message: `Node.js ${process.versions.node} ignores HTTPS_PROXY`,
      cure: 'Use Node.js 22.21 or 24.5, or a later one.',
    };
  }
  const host = URL.parse(proxy)?.host;
  if (host) return ok(`requests to other machines go through ${host}`);
  return {
    status: 'warning',
    message: 'HTTPS_PROXY is not a URL',
    cure: 'Write it with its scheme, such as http://proxy.example.com:3128.',
  };
}

async function checkServer(ctx: Context): Promise<Finding> {
  const { baseUrl } = await ctx.settings();
  const root = rootOf(baseUrl.value);
  const began = ctx.now();
  try {
    const { status, headers, health } = await askHealth(ctx, `${root}/readyz`);
    const took = ctx.now() - began;
    if (health === 'unavailable' || status >= 500)
      return {
        status: 'failed',
        message: `${root} is running, but not accepting requests (${status})`,
        cure: 'Its log says why.',
      };
    if (health === 'stranger') {
      return {
        status: 'failed',
        message: `${root} responds, but it is not Hubline`,
        cure: 'Check the address: hubline config explain',
      };
    }
    const skew = Date.parse(headers['date'] ?? '') - (began + took / 2);
    if (Math.abs(skew) > SKEW_MS) {
      return {
        status: 'warning',
        message: `its clock and this one differ by ${Math.round(Math.abs(skew) / 1_000)} s`,
        cure: 'Set the clock: signed timestamps depend on it.',
      };
    }
    return ok(`${root} responds in ${took} ms`);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return { status: 'failed', message: error.message, cure: error.hint };
  }
}

async function checkKey(ctx: Context): Promise<Finding> {
  if (!(await ctx.settings()).apiKey) return { status: 'skipped', message: 'there is no key' };
  const client = await ctx.client();
  const { user, key } = await client.me.get({ signal: ctx.signal, maxRetries: 0 });
  if (key.expires_at !== null) {
    if (Date.parse(key.expires_at) - ctx.now() < EXPIRES_SOON_MS) {
      return {
        status: 'warning',
        message: `the key of ${user.email} expires ${relativeTime(key.expires_at, ctx.now())}`,
        cure: 'Create another, and log in with it: hubline key create',
      };
    }
  }
  return ok(`${key.prefix}… of ${user.email}`);
}

async function checkWorkspace(ctx: Context): Promise<Finding> {
  if (!(await ctx.settings()).apiKey) return { status: 'skipped', message: 'there is no key' };
  try {
    return ok(`commands act in ${await ctx.workspace()}, unless -w names another`);
  } catch (error) {
    // A default is not needed if every command names a workspace.
    if (!(error instanceof CommandError) || error.reason !== 'usage') throw error;
    return { status: 'warning', message: error.message, ...(error.hint && { cure: error.hint }) };
  }
}

function unlessForbidden(error: unknown): undefined {
  if (!isAPIError(error, 'forbidden')) throw error;
}

async function checkIntegrations(ctx: Context): Promise<Finding> {
  if (!(await ctx.settings()).apiKey) return { status: 'skipped', message: 'there is no key' };
  let workspace: string;
  try {
    workspace = await ctx.workspace();
  } catch (error) {
    if (!(error instanceof CommandError) || error.reason !== 'usage') throw error;
    return { status: 'skipped', message: 'no workspace is chosen' };
  }
  const client = await ctx.client();
  const options = { signal: ctx.signal, maxRetries: 0 };
  const listed = await client.integrations
    .list(workspace, { limit: LIMITS.pageMax }, options)
    .catch(unlessForbidden);
  if (!listed) return { status: 'skipped', message: 'this key may not read them' };
  const { data } = listed;
  const [first] = data;
  if (!first) return ok('none is connected');
  const broken = data.filter(({ status }) => status === 'error');
  const waiting = data.filter(({ status, status_detail }) => status !== 'error' && status_detail !== null);
  const describe = (some: typeof data) =>
    some
      .map(
        ({ integration_id, provider, status_detail }) =>
          `${provider} (${integration_id}): ${status_detail?.message}`,
      )
      .join(' ');
  if (broken.length > 0)
    return {
      status: 'failed',
      message: describe(broken),
      cure: 'Connect it again: hubline integration reconnect <id>',
    };
  // A server that tools cannot reach concerns all integrations, so the first one reports it.
  const { ingest } = await client.integrations.get(first.integration_id, options);
  if (ingest.warning !== null) return { status: 'warning', message: ingest.warning };
  if (waiting.length > 0)
    return {
      status: 'warning',
      message: describe(waiting),
      cure: 'See what is missing: hubline integration get <id>',
    };
  return ok(data.length === 1 ? 'the one that is connected works' : `all ${data.length} work`);
}
