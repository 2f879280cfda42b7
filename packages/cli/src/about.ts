import manifest from '../package.json' with { type: 'json' };

/** The version of this package. */
export const { version } = manifest;

/** The page of the project. */
export const PROJECT_URL = manifest.repository.url.replace(/^git\+|\.git$/g, '');

/** The URL of a page of the documentation: a user who has only the program has no `docs/`. */
export const docsUrl = (page: string): string => `${PROJECT_URL}/blob/main/docs/${page}`;
