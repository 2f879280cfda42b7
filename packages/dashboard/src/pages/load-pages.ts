/** Loads the file with all pages except the first ones. */
export const loadPages = () => import('./pages.ts');
