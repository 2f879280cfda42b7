/** Filled in by the build, from package.json. */
declare const HUBLINE_SDK_VERSION: string | undefined;

export const version = typeof HUBLINE_SDK_VERSION === 'undefined' ? 'source' : HUBLINE_SDK_VERSION;
