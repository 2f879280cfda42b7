import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { getSystemErrorMessage, parseArgs } from 'node:util';

/** Native code that is not a file yet. */
interface Addon {
  /** Its name in errors. */
  readonly title: string;
  readonly bytes: Uint8Array;
}

/**
 * Loads native code. The system loads it only from a file, so it is written to a new folder, given to `load`, and removed: nothing stays
 * behind that somebody could change before the next start.
 *
 * @throws ConfigError if no folder (for temporary files, the user's, the data directory) allows both writing and running a file.
 */
export function loadAddon(addon: Addon, load: (file: string) => object): object {
  const problems: string[] = [];
  const { XDG_RUNTIME_DIR, HUBLINE_DATA } = process.env;
  // A temporary folder may be mounted without the right to run programs. In a container, only the data directory may be writable.
  for (const parent of [tmpdir(), XDG_RUNTIME_DIR, homedir(), HUBLINE_DATA, givenData()]) {
    if (!parent) continue;
    try {
      return loadIn(parent, addon, load);
    } catch (error) {
      problems.push(`${parent}: ${reasonOf(error as NodeJS.ErrnoException)}`);
    }
  }
  const failure = new Error(
    `${addon.title} could not be loaded: no writable folder allows programs to run. Set TMPDIR to one that does. ${problems.join('; ')}`,
  );
  // The CLI recognizes errors of the server by their names: the operator can fix this one, so it is not reported as a bug.
  failure.name = 'ConfigError';
  throw failure;
}

/** Loads an addon of Node. */
export function loadFile(file: string): object {
  const module = { exports: {} };
  process.dlopen(module, file);
  return module.exports;
}

/** The data directory that the command line names. */
function givenData(): string | undefined {
  const { data } = parseArgs({ options: { data: { type: 'string' } }, strict: false }).values;
  return typeof data === 'string' ? data : undefined;
}

/** The reason for an error in the words of the system, or of its loader. */
const reasonOf = ({ errno, message }: NodeJS.ErrnoException): string =>
  errno === undefined ? message : getSystemErrorMessage(errno);

function loadIn(parent: string, { title, bytes }: Addon, load: (file: string) => object): object {
  const folder = mkdtempSync(join(parent, 'hubline-'));
  const file = join(folder, `${title}.node`);
  let stays = false;
  try {
    writeFileSync(file, bytes, { mode: 0o600 });
    const loaded = load(file);
    // Other systems need the file again, by its name.
    stays = process.platform !== 'linux';
    return loaded;
  } finally {
    const remove = () => {
      try {
        // A recursive removal would open the folder first, which needs a descriptor when few may be left.
        rmSync(file, { force: true });
        rmdirSync(folder);
      } catch {
        // On Windows, the file is still in use.
      }
    };
    if (stays) process.once('exit', remove);
    else remove();
  }
}
