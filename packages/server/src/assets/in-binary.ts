import { getAsset } from 'node:sea';
import { gunzipSync } from 'node:zlib';
import type { ThreadName } from './on-disk.ts';

/** Files that the server is shipped with, read from the single-file program. The names are the same as in `on-disk.ts`. */

const text = (key: string): string => getAsset(key, 'utf8');

/** The `package.json` of the server. */
export const manifest = (): string => text('package.json');

/** The files of the built dashboard by path, such as `/index.html`. */
export function dashboardFiles(): ReadonlyMap<string, Buffer> {
  const paths = JSON.parse(text('dashboard')) as string[];
  return new Map(paths.map((path) => [path, Buffer.from(getAsset(`dashboard${path}`))]));
}

/** The OpenAPI document. */
export const openApi = (): Promise<string> =>
  Promise.resolve(gunzipSync(getAsset('openapi.json.gz')).toString());

/** The program of a thread. */
export const threadProgram = (name: ThreadName): { readonly file: URL } | { readonly text: string } => ({
  text: text(`${name}.cjs`),
});
