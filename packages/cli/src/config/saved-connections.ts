import type { ConnectionInfo } from '../views/connection.ts';
import { CommandError } from '../errors.ts';
import type { Config, SavedContext } from './config-file.ts';

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

/** `hl_abcd…`: as much of a key as the API itself shows. */
export function maskKey(key: string): string {
  return `${key.slice(0, 7)}…`;
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
