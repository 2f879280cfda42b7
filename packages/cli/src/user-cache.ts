import { existsSync } from 'node:fs';

/**
 * The folder of this user's own caches; `undefined` if it is unknown. Compiled code is kept only there, since anybody
 * who can write there can run code here: Node's default, below the temporary directory, is open to everybody.
 */
export function userCache(): string | undefined {
  const { XDG_CACHE_HOME: cache, LOCALAPPDATA: local, HOME: home } = process.env;
  // The home of a service may not exist, and a cache must not make it.
  const own = home && existsSync(home) ? `${home}/.cache` : undefined;
  const folder = cache ?? (process.platform === 'win32' ? local : own);
  return folder ? `${folder}/hubline` : undefined;
}
