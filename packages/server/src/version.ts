import { readFileSync } from 'node:fs';

// Both the source and the bundle lie one folder below package.json.
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The version of this package. */
export const VERSION = version;

/** How the server calls itself when it calls others. */
export const USER_AGENT = `Hubline/${version}`;
