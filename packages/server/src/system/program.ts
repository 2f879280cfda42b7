import { realpathSync } from 'node:fs';

/** The file that runs here: Node, or Hubline as one file. Links are followed, because privileges belong to files. */
export function program(): string {
  return realpathSync(process.execPath);
}
