import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { changeMode } from './foreign-links.ts';
import { shellWord } from '../system/shell-word.ts';

const OTHERS = 0o077;

/**
 * Makes the key files of a data directory private again. Returns a sentence for the operator for each one that was not.
 */
export function closeKeys(data: string): string[] {
  if (process.platform === 'win32') return [];
  return keysIn(resolve(data)).flatMap((file) => {
    const mode = statSync(file).mode & 0o777;
    if ((mode & OTHERS) === 0) return [];
    const found = `Other users could read ${file} (mode ${mode.toString(8)})`;
    try {
      changeMode(file, 0o600);
      return [`${found}. Now only its owner can, but whoever has read it has the key.`];
    } catch {
      return [
        `${found}, and this user may not change that. Close it as its owner: chmod 600 ${shellWord(file)}`,
      ];
    }
  });
}

function keysIn(data: string): string[] {
  const certificates = join(data, 'certificates');
  const names = existsSync(certificates)
    ? readdirSync(certificates, { recursive: true, withFileTypes: true })
    : [];
  return [
    ...['master.key', 'master.key.retired']
      .map((name) => join(data, name))
      .filter((file) => existsSync(file)),
    ...names.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name)),
  ];
}
