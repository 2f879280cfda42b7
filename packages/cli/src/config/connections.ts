import type { Me } from '@hubline/contract/types';
import type { Context } from '../context.ts';
import { CommandError } from '../errors/errors.ts';
import { view } from '../spec/view.ts';
import type { Config, SavedContext } from './config-file.ts';

/** A saved connection, without its key. */
interface ConnectionInfo {
  readonly name: string;
  readonly current: boolean;
  readonly base_url: string;
  readonly workspace: string | null;
  /** The first characters of the key; `null` when logged out. */
  readonly key: string | null;
  /** The store that has the key; `null` when logged out. */
  readonly key_in: 'keychain' | 'file' | null;
}

export const connectionView = view<ConnectionInfo>()({
  noun: ['context', 'contexts'],
  fields: ['name', 'current', 'base_url', 'workspace', 'key', 'key_in'],
  columns: [
    { path: 'name', flexible: true },
    'current',
    { path: 'base_url', flexible: true },
    'workspace',
    { path: 'key', optional: true },
    { path: 'key_in', optional: true },
  ],
  id: 'name',
});

/** The way in which a command would be authenticated, if any. */
interface LoginStatus {
  readonly context: string | null;
  readonly base_url: string;
  readonly email: string;
  readonly user_id: string;
  readonly key_id: string;
  readonly key_prefix: string;
  readonly key_source: string;
  readonly expires_at: string | null;
  readonly workspace: string | null;
}

export const loginStatusView = view<LoginStatus>()({
  noun: ['login', 'logins'],
  fields: [
    'context',
    'base_url',
    'email',
    'user_id',
    'key_id',
    'key_prefix',
    'key_source',
    'expires_at',
    'workspace',
  ],
  columns: ['email', 'base_url', 'key_prefix', 'context'],
  id: 'user_id',
});

/** A saved connection for people: the key by its first characters only. */
export function connectionInfo(config: Config, name: string): ConnectionInfo {
  const saved = savedConnection(config, name);
  return {
    name,
    current: config.current === name,
    base_url: saved.base_url,
    workspace: saved.workspace ?? null,
    key: keyOf(saved),
    key_in: saved.key_in ?? (saved.api_key === undefined ? null : 'file'),
  };
}

function keyOf({ api_key: key, key_in: place, key_prefix: prefix = '' }: SavedContext): string | null {
  if (place === 'keychain') return maskKey(prefix);
  return key === undefined ? null : maskKey(key);
}

/** The length of the part of a key that the API itself shows. */
export const KEY_PREFIX_LENGTH = 7;

/** `hl_abcd…` */
export function maskKey(key: string): string {
  return `${key.slice(0, KEY_PREFIX_LENGTH)}…`;
}

/** A saved connection by name. */
export function savedConnection(config: Config, name: string): SavedContext {
  const saved = Object.hasOwn(config.contexts, name) ? config.contexts[name] : undefined;
  if (saved) return saved;
  throw new CommandError('not_found', `There is no context "${name}".`, 'See: hubline context list');
}

/** All saved connections. */
export async function* savedConnections(config: Config): AsyncGenerator<ConnectionInfo> {
  for (const name of Object.keys(config.contexts)) yield connectionInfo(config, name);
}

/** Makes a saved connection the current one. */
export async function useConnection(ctx: Context, name: string): Promise<ConnectionInfo> {
  const config = await ctx.config();
  savedConnection(config, name);
  const changed = { ...config, current: name };
  await ctx.saveConfig(changed);
  return connectionInfo(changed, name);
}

/** The user who is logged in, and how. */
export function loginStatus(
  { user, key }: Me,
  where: Pick<LoginStatus, 'context' | 'base_url' | 'key_source'> & { workspace: string | undefined },
): LoginStatus {
  return {
    context: where.context,
    base_url: where.base_url,
    email: user.email,
    user_id: user.id,
    key_id: key.id,
    key_prefix: key.prefix,
    key_source: where.key_source,
    expires_at: key.expires_at,
    workspace: where.workspace ?? null,
  };
}
