import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The secret that calls from this machine are signed with when nobody gives another: the same one every time, so that a receiver is
 * set up once. It protects nothing on a server.
 */
export async function ownSecret(directory: string): Promise<string> {
  const file = join(directory, 'listen-secret');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  try {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    await writeFile(file, `${secret}\n`, { flag: 'wx', mode: 0o600 });
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await readFile(file, 'utf8')).trim();
  }
}
