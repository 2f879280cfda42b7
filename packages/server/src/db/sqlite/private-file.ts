import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';

/** Makes a database readable by its owner only. SQLite gives its log and its shared memory the permissions of the file. */
export function makePrivate(file: string): void {
  // One that is there is never opened: closing it would end the locks that this process has on it.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  for (const each of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(each)) chmodSync(each, 0o600);
}
