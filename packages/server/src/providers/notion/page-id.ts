// developers.notion.com, "Request limits".
export const CONTENT_MAX = 2_000;
// An ID, alone or at the end of a page's URL: `https://www.notion.so/acme/Roadmap-0123…cdef?pvs=4`.
const PAGE = /(?:^|[/-])([\da-f]{32}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:[?#].*)?$/i;

/** The ID in the URL of a page, or the ID itself; `undefined` for anything else. */
export const pageIdOf = (text: string): string | undefined => PAGE.exec(text)?.[1];
