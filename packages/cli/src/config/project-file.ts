import { readFileSync } from 'node:fs';
import { usageError } from '../errors/errors.ts';
import { unreadable } from '../errors/file-error.ts';
import type { Host } from '../host.ts';
import { textOf } from '../input/text-of.ts';

/** The settings of `./.hubline.toml`, which select one of the user's connections and workspaces for a project. */
export type ProjectSettings = Readonly<
  Partial<Record<'context' | 'workspace' | 'timeout' | 'retries' | 'max_wait', string>>
>;

const KEYS = ['context', 'workspace', 'timeout', 'retries', 'max_wait'] as const;
const PROJECT_FILE = '.hubline.toml';

/**
 * Reads `.hubline.toml` in the working directory, if there is one. It cannot name a server: otherwise the author of a repository could
 * decide where the reader's key is sent.
 */
export async function readProjectFile({ absolute }: Pick<Host, 'absolute'>): Promise<ProjectSettings> {
  let file = PROJECT_FILE;
  let text: string;
  try {
    // A working directory that has been removed counts as one without the file.
    file = absolute(PROJECT_FILE);
    text = textOf(readFileSync(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw unreadable(file, error, 'Fix its permissions, or remove it.');
  }
  const { parse } = await import('smol-toml');
  let table: Record<string, unknown>;
  try {
    table = parse(text);
  } catch (error) {
    throw usageError(
      `${file} is not valid TOML: ${(error as Error).message.split('\n')[0]}.`,
      'Repair it, or remove it.',
    );
  }
  for (const [key, value] of Object.entries(table)) {
    if (key === 'base_url' || key === 'api_key') {
      throw usageError(
        `${file} cannot set ${key}: a file that comes with a project must not decide where your key goes.`,
        'Save a context with hubline auth login --context <name>, and name it: context = "<name>"',
      );
    }
    if (!KEYS.some((known) => known === key)) {
      throw usageError(`${file}: there is no setting "${key}".`, `The settings are: ${KEYS.join(', ')}.`);
    }
    if (typeof value !== 'string' && typeof value !== 'number')
      throw usageError(`${file}: ${key} must be a string.`, `Write it in quotes: ${key} = "…"`);
  }
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, String(value)]));
}
