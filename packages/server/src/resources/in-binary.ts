import { getAsset } from 'node:sea';

/** Files that the server is shipped with, in the one file that has everything inside. The same names as in `on-disk.ts`. */

const text = (key: string): string => getAsset(key, 'utf8');

/** The files of the built dashboard by path, such as `/index.html`. */
export function dashboardFiles(): ReadonlyMap<string, Buffer> {
  const paths = JSON.parse(text('dashboard')) as string[];
  return new Map(paths.map((path) => [path, Buffer.from(getAsset(`dashboard${path}`))]));
}

/** The OpenAPI document. */
export const openApi = (): Promise<string> => Promise.resolve(text('openapi.json'));

/** The program of a sender's thread. */
export const senderThread: { readonly file: URL } | { readonly text: string } = {
  get text() {
    return text('sender-thread.js');
  },
};
