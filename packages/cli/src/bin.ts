#!/usr/bin/env node
import { makeDirectory } from './config/make-directory.ts';
import { userCache } from './user-cache.ts';
import { version } from './about.ts';

/** better-sqlite3 13 installs without an error on older versions, and then crashes. */
const FLOOR = [22, 19] as const;
/** The width of the help that is printed without parsing anything. */
const HELP_WIDTH = 80;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const argv = process.argv.slice(2);

if (major < FLOOR[0] || (major === FLOOR[0] && minor < FLOOR[1])) {
  process.stderr.write(
    `hubline needs Node.js ${FLOOR.join('.')} or later; this is ${process.versions.node}.\n`,
  );
  process.exitCode = 2;
} else if (argv[0] === '--version' || (argv[0] === 'version' && argv.length === 1)) {
  writeNow(`${version}\n`);
} else {
  // The exit code if the event loop runs dry before the command is done, which is never a success.
  process.exitCode = 1;
  launch().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
}

/** Writes text without `process.stdout`, whose streams take as long to load as everything else that prints a version. */
function writeNow(text: string): void {
  const { writeSync } = process.getBuiltinModule('node:fs');
  try {
    for (let rest = Buffer.from(text); rest.length > 0; rest = rest.subarray(writeSync(1, rest)));
    process.exitCode = 0;
  } catch (error) {
    const { code, errno = 0 } = error as NodeJS.ErrnoException;
    const reason = process.getBuiltinModule('node:util').getSystemErrorMessage(errno);
    process.exitCode = code === 'EPIPE' ? 141 : 1;
    if (code !== 'EPIPE') process.stderr.write(`Error: stdout cannot be written: ${reason}.\n`);
  }
}

/** Reports whether the output is neither a file nor a pipe. Recognizing a terminal takes longer. */
function isDevice(): boolean {
  try {
    return process.getBuiltinModule('node:fs').fstatSync(1).isCharacterDevice();
  } catch {
    return false;
  }
}

/** Reports whether the root help is asked for and can be printed at once. */
function wantsHelp(): boolean {
  const [first, ...more] = argv;
  const asked = first === undefined || ['--help', '-h', 'help'].includes(first);
  // A terminal gets help of its own width, in a pager. `process.stdout` would know, but takes too long to load.
  return (
    asked && more.length === 0 && !isDevice() && Number(process.env['COLUMNS'] ?? HELP_WIDTH) >= HELP_WIDTH
  );
}

/** Makes Node keep compiled code in a folder. Does nothing if the folder cannot be made. */
function keepCompiled(folder: string): void {
  try {
    // Node would make the folder, too, but hangs if it cannot.
    makeDirectory(folder, 0o700);
  } catch {
    return;
  }
  process.getBuiltinModule('node:module').enableCompileCache(folder);
}

/** Runs the command line. It sets the exit code and does not exit, so that pipes drain. */
async function launch(): Promise<void> {
  if (argv[0] === 'server' && argv[1] === 'start') {
    const { boundMemory } = await import('./bound-memory.ts');
    boundMemory();
  }
  if (wantsHelp()) {
    const { rootHelp } = await import('./generated/root-help.ts');
    writeNow(rootHelp);
    return;
  }
  const cache = userCache();
  // Node keeps what it compiles, for the next start.
  if (cache) keepCompiled(`${cache}/compiled`);
  const { startProcess } = await import('./process.ts');
  await startProcess(argv, { cache });
}
