/**
 * The folder of this user's own caches; `undefined` when it cannot be told. Compiled code is kept there and nowhere else, since
 * whoever can write there can run code here: the default of Node, below the temporary directory, is everybody's.
 */
export function userCache(): string | undefined {
  const { XDG_CACHE_HOME: cache, LOCALAPPDATA: local, HOME: home } = process.env;
  const folder = cache ?? (process.platform === 'win32' ? local : home && `${home}/.cache`);
  return folder ? `${folder}/hubline` : undefined;
}
