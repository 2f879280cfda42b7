/**
 * The folder of this user's own caches; `undefined` when it cannot be told. Compiled code is kept only there, since anybody
 * who can write there can run code here: Node's default, below the temporary directory, is open to everybody.
 */
export function userCache(): string | undefined {
  const { XDG_CACHE_HOME: cache, LOCALAPPDATA: local, HOME: home } = process.env;
  const folder = cache ?? (process.platform === 'win32' ? local : home && `${home}/.cache`);
  return folder ? `${folder}/hubline` : undefined;
}
