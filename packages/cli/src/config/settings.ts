import { readFileSync } from 'node:fs';
import { CommandError, usageError } from '../errors.ts';
import type { Globals } from '../spec/global-flags.ts';
import { DEFAULT_BASE_URL, parseBaseUrl } from './base-url.ts';
import type { Config, SavedContext } from './config-file.ts';
import type { ProjectSettings } from './project-file.ts';

/** A value and where it comes from, for people. */
export interface Setting {
  readonly value: string;
  readonly source: string;
}

/** What a command works with: flag over environment over `./.hubline.toml` over saved context over default. */
export interface Settings {
  /** The saved context in use, if any. */
  readonly context: Setting | undefined;
  readonly baseUrl: Setting;
  readonly apiKey: Setting | undefined;
  /** An id or a slug. */
  readonly workspace: Setting | undefined;
}

interface Sources {
  readonly globals: Pick<Globals, 'context' | 'baseUrl' | 'workspace'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config: Config;
  readonly project: ProjectSettings;
  /** The key of a saved connection, wherever it is kept; asked for only when no other one is given. */
  savedKey(name: string, saved: SavedContext): Promise<string | undefined>;
}

const PROJECT = './.hubline.toml';

/** Resolves every setting. */
export async function resolveSettings({
  globals,
  env,
  config,
  project,
  savedKey,
}: Sources): Promise<Settings> {
  const context = first(
    [globals.context, '--context'],
    [env['HUBLINE_CONTEXT'], 'HUBLINE_CONTEXT'],
    [project.context, PROJECT],
    [config.current ?? undefined, 'current context'],
  );
  const saved = context && savedContext(config, context);
  const origin = `context "${context?.value}"`;
  const baseUrl = first(
    [globals.baseUrl, '--base-url'],
    [env['HUBLINE_BASE_URL'], 'HUBLINE_BASE_URL'],
    [saved?.base_url, origin],
  ) ?? { value: DEFAULT_BASE_URL, source: 'default' };
  const givenKey = first(
    [env['HUBLINE_API_KEY']?.trim(), 'HUBLINE_API_KEY'],
    [keyFile(env['HUBLINE_API_KEY_FILE']), 'HUBLINE_API_KEY_FILE'],
  );
  const kept = saved?.key_in === 'keychain' ? `keychain, for ${origin}` : origin;
  return {
    context,
    baseUrl: { ...baseUrl, value: parseBaseUrl(baseUrl.value, baseUrl.source) },
    apiKey: givenKey ?? first([saved && (await savedKey(context.value, saved)), kept]),
    workspace: first(
      [globals.workspace, '--workspace'],
      [env['HUBLINE_WORKSPACE'], 'HUBLINE_WORKSPACE'],
      [project.workspace, PROJECT],
      [saved?.workspace, origin],
    ),
  };
}

/** The first that says something. */
function first(...candidates: readonly [string | undefined, string][]): Setting | undefined {
  const found = candidates.find(([value]) => value !== undefined && value !== '');
  return found && { value: found[0] ?? '', source: found[1] };
}

function savedContext(config: Config, { value, source }: Setting): SavedContext {
  const saved = Object.hasOwn(config.contexts, value) ? config.contexts[value] : undefined;
  if (saved) return saved;
  const names = Object.keys(config.contexts).join(', ') || 'none';
  throw usageError(
    `There is no context "${value}" (from ${source}).`,
    `Saved contexts: ${names}. See: hubline auth login --context ${value}`,
  );
}

function keyFile(file: string | undefined): string | undefined {
  if (!file) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw usageError(`HUBLINE_API_KEY_FILE cannot be read: ${(error as Error).message}.`);
  }
}

/** The key, or the way to get one. */
export function requireApiKey({ apiKey, baseUrl }: Settings): string {
  if (!apiKey) {
    throw new CommandError(
      'denied',
      `Not logged in to ${baseUrl.value}.`,
      'Run: hubline auth login, or set HUBLINE_API_KEY.',
    );
  }
  // Specification of HTTP: such a key could only be a header injection or a paste that went wrong. It is not shown.
  if (!/^[\x21-\x7e]+$/.test(apiKey.value)) {
    throw usageError(
      `The key from ${apiKey.source} has characters that no key has.`,
      'Copy it again, as one line.',
    );
  }
  return apiKey.value;
}
