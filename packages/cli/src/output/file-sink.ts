import { open, rename, rm, stat } from 'node:fs/promises';
import { usageError } from '../errors.ts';
import { fileReason } from '../file-error.ts';
import type { Sink } from './sink.ts';

/** A file that appears only when it is whole; an existing one is replaced only by `force`. */
export async function fileSink(file: string, force: boolean): Promise<Sink> {
  if (!force && (await stat(file).catch(() => undefined))) {
    throw usageError(`${file} exists already.`, 'Add --force to replace it.');
  }
  const temporary = `${file}.part`;
  const handle = await open(temporary, 'w').catch((error: Error) => {
    throw usageError(`${file} cannot be written: ${fileReason(error)}.`, 'Choose another path.');
  });
  return {
    write: async (text) => {
      await handle.writeFile(text);
    },
    finish: async () => {
      await handle.close();
      await rename(temporary, file);
    },
    abandon: async () => {
      await handle.close();
      await rm(temporary, { force: true });
    },
  };
}
