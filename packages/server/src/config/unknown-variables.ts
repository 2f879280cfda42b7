import { VARIABLES } from './config.ts';
import { withoutServiceLinks } from './service-links.ts';

/** The variables that look like settings of a server but are none, such as `HUBLINE_PROT`. `providers`: by key. */
export const unknownVariables = (
  env: Readonly<Record<string, string | undefined>>,
  providers: ReadonlyMap<string, unknown>,
): string[] =>
  Object.keys(withoutServiceLinks(env)).filter((name) => {
    if (!name.startsWith('HUBLINE_') || VARIABLES.has(name)) return false;
    const [, provider = ''] = /^HUBLINE_([A-Z0-9_]+)_(?:API|OAUTH)_URL$/.exec(name) ?? [];
    return !providers.has(provider.toLowerCase());
  });
