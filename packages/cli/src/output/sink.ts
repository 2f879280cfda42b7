import { open, rename, rm, stat } from 'node:fs/promises';
import { usageError } from '../errors.ts';
import type { Output } from '../io.ts';

/** Where the output of a command goes. */
export interface Sink {
  write(text: string): Promise<void>;
  /** Everything was written. */
  finish(): Promise<void>;
  /** Something failed: what was written is not the whole. */
  abandon(): Promise<void>;
}

const nothing = async (): Promise<void> => undefined;

/** stdout, which keeps whatever it has got. */
export function stdoutSink(stdout: Output): Sink {
  return { write: (text) => stdout.write(text), finish: nothing, abandon: nothing };
}

/** A file that appears only when it is whole; an existing one is replaced only by `force`. */
export async function fileSink(file: string, force: boolean): Promise<Sink> {
  if (!force && (await stat(file).catch(() => undefined))) {
    throw usageError(`${file} exists already.`, 'Add --force to replace it.');
  }
  const temporary = `${file}.part`;
  const handle = await open(temporary, 'w').catch((error: Error) => {
    throw usageError(`${file} cannot be written: ${error.message}.`);
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
