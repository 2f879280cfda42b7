import manifest from '../package.json' with { type: 'json' };

/** The version of this package. */
export const VERSION = manifest.version;

/** How the server calls itself when it calls others. */
export const USER_AGENT = `Hubline/${VERSION}`;
