/** The licenses of the packages that a build contains: most of them allow copies only together with their notice. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

/** The name of the file beside what was built. */
export const NOTICES = 'THIRD-PARTY-NOTICES.txt';

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENSE = /^(?:licen[cs]e|copying|notice)/i;

/** The notices of the packages that files are from; empty text if all are ours. */
export function noticesOf(files: readonly string[]): string {
  const folders = new Set(files.flatMap((file) => PACKAGE.exec(file)?.[0] ?? []));
  return [...new Set(Array.from(folders, noticeOf))]
    .toSorted()
    .map((notice) => `${notice}\n`)
    .join('\n\n');
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license: string;
  };
  const texts = readdirSync(folder)
    .filter((file) => LICENSE.test(file))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, '-'.repeat(80), ...texts].join('\n\n');
}

/** The files that an esbuild bundle is made of. Their paths are relative to its working folder. */
export const filesIn = ({ outputs }: Metafile): string[] =>
  Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));

/** Writes the notices of a bundle into its folder. Paths are relative to the current folder. */
export const withNotices: Plugin = {
  name: 'with-notices',
  setup({ initialOptions, onEnd }) {
    initialOptions.metafile = true;
    onEnd(({ metafile }) => {
      const text = metafile ? noticesOf(filesIn(metafile)) : '';
      if (text === '') return;
      const { outdir = '.' } = initialOptions;
      // tsup writes the bundle later, and makes its folder then.
      mkdirSync(outdir, { recursive: true });
      writeFileSync(join(outdir, NOTICES), text);
    });
  },
};
