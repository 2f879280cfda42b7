import { manifest } from '#assets';

const { version } = JSON.parse(manifest()) as { version: string };

/** The version of this package. */
export const VERSION = version;

/** The name that the server gives itself when it calls others. */
export const USER_AGENT = `Hubline/${version}`;
