import { join } from 'node:path';

/** Where the configuration is: `HUBLINE_CONFIG_DIR`, else the XDG Base Directory Specification's place, or Windows' own. */
export function configDirectory(env: Readonly<Record<string, string | undefined>>): string {
  if (env['HUBLINE_CONFIG_DIR']) return env['HUBLINE_CONFIG_DIR'];
  if (env['XDG_CONFIG_HOME']) return join(env['XDG_CONFIG_HOME'], 'hubline');
  if (process.platform === 'win32' && env['APPDATA']) return join(env['APPDATA'], 'hubline');
  return join(env['HOME'] || process.getBuiltinModule('node:os').homedir(), '.config', 'hubline');
}
