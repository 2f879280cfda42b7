import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Files that the server is shipped with, read from the folder of its code. The same names with the same types are in `in-binary.ts`, for the
 * single-file program.
 */

const IS_SOURCE = import.meta.url.endsWith('.ts');

/** The `package.json` of the server. */
export const manifest = (): string =>
  readFileSync(new URL(IS_SOURCE ? '../../package.json' : '../package.json', import.meta.url), 'utf8');

// The directory of the built dashboard, relative to the bundle that this file becomes part of, and to its source in a clone.
const DASHBOARD = ['./dashboard/', '../../../dashboard/dist/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** The files of the built dashboard by path, such as `/index.html`; none where it was not built. */
export function dashboardFiles(folder?: string): ReadonlyMap<string, Buffer> {
  for (const directory of folder === undefined ? DASHBOARD : [folder]) {
    const files = new Map(
      listFiles(directory).map((path) => [`/${path}`, readFileSync(join(directory, path))]),
    );
    if (files.has('/index.html')) return files;
  }
  return new Map();
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

// A file of the contract. It is read when somebody asks for it.
const OPENAPI = createRequire(import.meta.url).resolve('@hubline/contract/openapi.json');

/** The OpenAPI document. */
export const openApi = (): Promise<string> => readFile(OPENAPI, 'utf8');

const THREADS = {
  'sender-thread': '../delivery/senders/sender-thread.ts',
  'copy-thread': '../backups/copy/copy-thread.ts',
  'http-thread': '../http/front/http-thread.ts',
  'call-thread': '../providers/calls/call-thread.ts',
} as const;

/** The name of a program that runs in its own thread. */
export type ThreadName = keyof typeof THREADS;

/** The program of a thread: a file, or its text. Built programs are beside the other files of the built package. */
export const threadProgram = (name: ThreadName): { readonly file: URL } | { readonly text: string } => ({
  file: new URL(IS_SOURCE ? THREADS[name] : `./${name}.js`, import.meta.url),
});
