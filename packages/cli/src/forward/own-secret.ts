import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Globals } from '../spec/global-flags.ts';

/**
 * The secret that calls from this machine are signed with when nobody gives another: the same one every time, so that a receiver is
 * set up once. It protects nothing on a server.
 */
export async function ownSecret(directory: string, { dryRun }: Pick<Globals, 'dryRun'>): Promise<string> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  // What it would sign is not sent.
  if (dryRun) return secret;
  const file = join(directory, 'listen-secret');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  try {
    await writeFile(file, `${secret}\n`, { flag: 'wx', mode: 0o600 });
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await readFile(file, 'utf8')).trim();
  }
}
