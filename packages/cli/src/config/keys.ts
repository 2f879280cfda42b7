import type { Context } from '../context.ts';
import { usageError } from '../errors/errors.ts';
import { originOf, parseBaseUrl } from './base-url.ts';
import type { Config, SavedContext } from './config-file.ts';
import { savedConnection } from './connections.ts';
import { type LimitKey, parseLimit } from './limits.ts';
import { shellWord } from '../terminal/shell-word.ts';

/** A setting that `hubline config set` knows. */
interface ConfigKey {
  readonly summary: string;
  read(config: Config): string | undefined;
  /** The configuration with another value, or without one. */
  write(config: Config, value: string | undefined): Config;
}

function ofContext(
  summary: string,
  name: 'base_url' | 'workspace',
  check = (text: string): string => text,
): ConfigKey {
  const current = (config: Config): [string, SavedContext] => {
    if (config.current === null) {
      throw usageError('There is no current context.', 'Run: hubline auth login, or hubline context create');
    }
    return [config.current, savedConnection(config, config.current)];
  };
  return {
    summary,
    read: (config) => (config.current === null ? undefined : savedConnection(config, config.current)[name]),
    write: (config, value) => {
      const [context, { [name]: _old, ...rest }] = current(config);
      if (value === undefined && name === 'base_url')
        throw usageError('Every context needs a base_url.', 'Set another one instead.');
      const saved = { ...rest, ...(value !== undefined && { [name]: check(value) }) } as SavedContext;
      assertSameServer(context, savedConnection(config, context), saved);
      return { ...config, contexts: { ...config.contexts, [context]: saved } };
    },
  };
}

/** Refuses another server for a saved key, because the key would be sent there. */
function assertSameServer(name: string, before: SavedContext, after: SavedContext): void {
  const holdsKey = before.api_key !== undefined || before.key_in !== undefined;
  if (!holdsKey || originOf(before.base_url) === originOf(after.base_url)) return;
  throw usageError(
    `The key of context "${name}" belongs to ${originOf(before.base_url)} and is sent nowhere else.`,
    `Log in to the other server: hubline auth login ${shellWord(after.base_url)}`,
  );
}

function asDefault(summary: string, name: string, check: (text: string) => unknown): ConfigKey {
  return {
    summary,
    read: ({ defaults }) => defaults?.[name],
    write: ({ defaults, ...config }, value) => {
      if (value !== undefined) check(value);
      const { [name]: _old, ...rest } = defaults ?? {};
      const changed = { ...rest, ...(value !== undefined && { [name]: value }) };
      return Object.keys(changed).length > 0 ? { ...config, defaults: changed } : config;
    },
  };
}

const limit = (summary: string, name: LimitKey): ConfigKey =>
  asDefault(summary, name, (text) => parseLimit(name, text));

/** Every setting that is saved, by its name. API keys are not among them: a key on the command line is a key that leaked. */
export const CONFIG_KEYS: Readonly<Record<string, ConfigKey>> = {
  context: {
    summary: 'the current context',
    read: ({ current }) => current ?? undefined,
    write: (config, value) => {
      if (value !== undefined) savedConnection(config, value);
      return { ...config, current: value ?? null };
    },
  },
  base_url: ofContext('the API of the current context', 'base_url', (text) => parseBaseUrl(text, 'base_url')),
  workspace: ofContext('the workspace of the current context', 'workspace'),
  timeout: limit('when to give up on a request', 'timeout'),
  retries: limit('how often to try again', 'retries'),
  max_wait: limit('the longest pause that the server may ask for', 'max_wait'),
  pager: asDefault('the program for long output, cat for none', 'pager', () => undefined),
} satisfies Record<'context' | 'base_url' | 'workspace' | 'pager' | LimitKey, ConfigKey>;

/** A setting by its name. */
export function configKey(name: string): ConfigKey {
  const key = Object.hasOwn(CONFIG_KEYS, name) ? CONFIG_KEYS[name] : undefined;
  if (key) return key;
  throw usageError(
    `There is no setting "${name}".`,
    name === 'api_key'
      ? 'Keys come from hubline auth login, HUBLINE_API_KEY or HUBLINE_API_KEY_FILE.'
      : `The settings are: ${Object.keys(CONFIG_KEYS).join(', ')}.`,
  );
}

/** Changes one setting. */
export async function changeConfig(ctx: Context, name: string, value: string | undefined): Promise<void> {
  const key = configKey(name);
  await ctx.saveConfig(key.write(await ctx.config(), value));
}
