import { readFileSync } from 'node:fs';
import { CommandError, usageError } from '../errors/errors.ts';
import { unreadable } from '../errors/file-error.ts';
import { textOf } from '../input/text-of.ts';
import type { Globals } from '../spec/global-flags.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { DEFAULT_BASE_URL, originOf, parseBaseUrl } from './base-url.ts';
import type { Config, SavedContext } from './config-file.ts';
import type { ProjectSettings } from './project-file.ts';

/** A value and where it comes from, for people. */
export interface Setting {
  readonly value: string;
  readonly source: string;
}

/** The settings that decide where a command goes and as whom: flag over environment over `./.hubline.toml` over context over default. */
export interface Settings {
  /** The saved context in use: always one of the server that `baseUrl` names. */
  readonly context: Setting | undefined;
  readonly baseUrl: Setting;
  readonly apiKey: Setting | undefined;
  /** The reason why an available key is not used. */
  readonly withheld: string | undefined;
  /** An ID or a slug. */
  readonly workspace: Setting | undefined;
}

interface Sources {
  readonly globals: Pick<Globals, 'context' | 'baseUrl' | 'workspace'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config: Config;
  readonly project: ProjectSettings;
  /** Loads the key of a saved context. Called only when no other key is given. */
  savedKey(name: string, saved: SavedContext): Promise<string | undefined>;
}

/** Reports whether a variable of the environment switches something on. */
export const isSet = (env: Readonly<Record<string, string | undefined>>, name: string): boolean =>
  ![undefined, '', '0', 'false'].includes(env[name]);

const PROJECT = './.hubline.toml';
const CURRENT = 'current context';

/**
 * Resolves every setting. A saved key goes only to the server that it was saved for: somebody who can set an address, in the
 * environment or on the command line of a script, must not get the key that way. A key from the environment goes where the user says.
 */
export async function resolveSettings(sources: Sources): Promise<Settings> {
  const { globals, env, project } = sources;
  const { context, baseUrl, withheld } = resolveServer(sources);
  const saved = context && savedContext(sources.config, context);
  const origin = `context "${context?.value}"`;
  const given = first(
    [env['HUBLINE_API_KEY']?.trim(), 'HUBLINE_API_KEY'],
    [keyFile(env['HUBLINE_API_KEY_FILE']), 'HUBLINE_API_KEY_FILE'],
  );
  const redirected = given && redirectedBy(sources, { context, given });
  const kept = saved?.key_in === 'keychain' ? `keychain, for ${origin}` : origin;
  const key = given ?? first([saved && (await sources.savedKey(context.value, saved)), kept]);
  return {
    context,
    baseUrl,
    apiKey: redirected === undefined ? key : undefined,
    withheld: redirected ?? (key ? undefined : withheld),
    workspace: first(
      [globals.workspace, '--workspace'],
      [env['HUBLINE_WORKSPACE'], 'HUBLINE_WORKSPACE'],
      [project.workspace, PROJECT],
      [saved?.workspace, origin],
    ),
  };
}

/** The server to talk to, and the saved context that belongs to it. */
function resolveServer({
  globals,
  env,
  config,
  project,
}: Sources): Pick<Settings, 'context' | 'baseUrl' | 'withheld'> {
  const chosen = first(
    [globals.context, '--context'],
    [env['HUBLINE_CONTEXT'], 'HUBLINE_CONTEXT'],
    [project.context, PROJECT],
    [config.current ?? undefined, CURRENT],
  );
  const saved = chosen && savedContext(config, chosen);
  const given = first([globals.baseUrl, '--base-url'], [env['HUBLINE_BASE_URL'], 'HUBLINE_BASE_URL']);
  const found = given ??
    first([saved?.base_url, `context "${chosen?.value}"`]) ?? { value: DEFAULT_BASE_URL, source: 'default' };
  const baseUrl = { ...found, value: parseBaseUrl(found.value, found.source) };
  if (!given || (saved && isAt(saved, baseUrl.value)))
    return { context: chosen, baseUrl, withheld: undefined };
  // The server is not that of the context: a saved login for the server counts as if it were named.
  const others = Object.entries(config.contexts).filter(([, each]) => isAt(each, baseUrl.value));
  const [only] = others;
  if (only && others.length === 1 && (!chosen || chosen.source === CURRENT)) {
    return { context: { value: only[0], source: baseUrl.source }, baseUrl, withheld: undefined };
  }
  const names = others.map(([name]) => `--context ${shellWord(name)}`).join(' or ');
  const elsewhere =
    chosen &&
    saved &&
    `The key of context "${chosen.value}" belongs to ${originOf(saved.base_url)} and is sent nowhere else.`;
  return {
    context: undefined,
    baseUrl,
    withheld: others.length > 0 ? `Logins for it are saved: add ${names}.` : elsewhere,
  };
}

const isAt = ({ base_url }: SavedContext, baseURL: string): boolean =>
  originOf(base_url) === originOf(baseURL);

/** The reason why a key from the environment is not sent: a file that came with a project chose the server. */
function redirectedBy(
  { config, globals, env, project }: Sources,
  { context, given }: { context: Setting | undefined; given: Setting },
): string | undefined {
  if (context?.source !== PROJECT || globals.baseUrl || env['HUBLINE_BASE_URL']) return undefined;
  const own = config.current === null ? DEFAULT_BASE_URL : config.contexts[config.current]?.base_url;
  if (own !== undefined && isAt(savedContext(config, context), own)) return undefined;
  return `${given.source} is not sent to a server that only ${PROJECT} names (context "${project.context}"). Add --context ${shellWord(context.value)} to send it there.`;
}

/** The first setting that is given. */
export function first(...candidates: readonly [string | undefined, string][]): Setting | undefined {
  const found = candidates.find(([value]) => value !== undefined && value !== '');
  return found && { value: found[0] ?? '', source: found[1] };
}

function savedContext(config: Config, { value, source }: Setting): SavedContext {
  const saved = Object.hasOwn(config.contexts, value) ? config.contexts[value] : undefined;
  if (saved) return saved;
  const names = Object.keys(config.contexts).join(', ') || 'none';
  throw usageError(
    `There is no context "${value}" (from ${source}).`,
    `Saved contexts: ${names}. To make one: hubline auth login --context ${shellWord(value)}`,
  );
}

function keyFile(file: string | undefined): string | undefined {
  if (!file) return undefined;
  let key: string;
  try {
    key = textOf(readFileSync(file)).trim();
  } catch (error) {
    throw unreadable(
      `${file} of HUBLINE_API_KEY_FILE`,
      error,
      'Check the path and its permissions, or unset the variable.',
    );
  }
  // Another key, such as that of the user's own login, could do more than the caller meant.
  if (key === '')
    throw usageError(
      `The file of HUBLINE_API_KEY_FILE is empty: ${file}.`,
      'Put the key there, or unset the variable.',
    );
  return key;
}

/** The key, or the way to get one. */
export function requireApiKey({ apiKey, baseUrl, withheld }: Settings): string {
  if (!apiKey) {
    throw new CommandError(
      'denied',
      [`Not logged in to ${baseUrl.value}.`, withheld].filter(Boolean).join(' '),
      `Run: ${loginCommand(baseUrl.value)}, or set HUBLINE_API_KEY.`,
    );
  }
  return checkKey(apiKey);
}

/** Far longer than any key. Another file, named by mistake, must not be sent to a server. */
const LONGEST_KEY = 4_096;

/** A key that can be sent. */
export function checkKey({ value, source }: Setting): string {
  // Such a key is a header injection or a paste that went wrong. It is not shown.
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw usageError(
      `The key from ${source} has characters that a key cannot have.`,
      'Copy it again, as one line.',
    );
  }
  if (value.length > LONGEST_KEY)
    throw usageError(`The key from ${source} is too long for a key.`, 'Check that it is the right file.');
  return value;
}

/** The command that logs in to a server. */
export function loginCommand(baseURL: string): string {
  return baseURL === DEFAULT_BASE_URL ? 'hubline auth login' : `hubline auth login ${shellWord(baseURL)}`;
}
