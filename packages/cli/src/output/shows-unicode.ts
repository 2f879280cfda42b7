/** Whether the terminal shows more than ASCII: what its locale says. To a Windows console Node writes in a way of its own. */
export function showsUnicode(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return process.platform === 'win32' || /utf-?8/i.test(locale);
}
