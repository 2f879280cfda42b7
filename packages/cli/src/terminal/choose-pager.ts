import { type Config, configDirectory, readConfig } from '../config/config-file.ts';
import type { Setting } from '../config/settings.ts';
import type { Host } from '../host.ts';

interface Sources {
  readonly noPager: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config: Config;
}

/** The pager that prints everything at once. */
const NONE = 'cat';

/**
 * The pager: flag over environment over configuration over the variable of other programs. `./.hubline.toml` cannot set it: a pager is
 * a command to run, which the author of a repository must not choose.
 */
export function resolvePager({ noPager, env, config: { defaults } }: Sources): Setting {
  if (noPager) return { value: NONE, source: '--no-pager' };
  if (env['CI']) return { value: NONE, source: 'CI' };
  if (env['TERM'] === 'dumb') return { value: NONE, source: 'TERM' };
  const [value, source] = [
    [env['HUBLINE_PAGER'], 'HUBLINE_PAGER'],
    [defaults?.['pager'], 'configuration'],
    [env['PAGER'], 'PAGER'],
  ].find(([found]) => found !== undefined) ?? ['less', 'default'];
  return { value: value?.trim() || NONE, source: source ?? '' };
}

/** The command of the pager to use; `null` for none. */
export function choosePager({ env }: Pick<Host, 'env'>, { noPager }: { noPager: boolean }): string | null {
  const { value } = resolvePager({ noPager, env, config: saved(env) });
  return value === NONE ? null : value;
}

/** Ignores a broken configuration, in which help is needed most. */
function saved(env: Sources['env']): Config {
  try {
    return readConfig(configDirectory(env), () => undefined);
  } catch {
    return { current: null, contexts: {} };
  }
}
