import { recall, remember } from './browser-memory.ts';

const KEY = 'hubline.workspace';

/** The slug of the workspace that was used last in this browser. */
export const lastWorkspace = (): string | null => recall(KEY);

export const rememberWorkspace = (slug: string): void => remember(KEY, slug);
