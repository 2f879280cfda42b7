#!/usr/bin/env node
import { version } from './version.ts';

/** better-sqlite3 13 installs without an error on older versions, and then crashes. */
const FLOOR = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const argv = process.argv.slice(2);

// `hubline event list | head -1`: the reader has seen enough. The exit code is that of a process killed by SIGPIPE.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 141 : 1));
process.stderr.on('error', () => undefined);

if (major < FLOOR[0] || (major === FLOOR[0] && minor < FLOOR[1])) {
  process.stderr.write(
    `hubline needs Node.js ${FLOOR.join('.')} or later; this is ${process.versions.node}.\n`,
  );
  process.exitCode = 2;
} else if (argv[0] === '--version') {
  process.stdout.write(`${version}\n`);
} else {
  // Holds when the event loop runs dry before the command is done, which is never a success.
  process.exitCode = 1;
  launch().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
}

/** Runs the command line. Its exit code is set rather than acted upon, so that pipes drain. */
async function launch(): Promise<void> {
  const { Interrupted } = await import('./errors.ts');
  const stopping = new AbortController();
  const onSignal = (signal: 'SIGINT' | 'SIGTERM'): void => {
    const interruption = new Interrupted(signal);
    // The second signal is meant: what still drains is left.
    if (stopping.signal.aborted) process.exit(interruption.exitCode);
    stopping.abort(interruption);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);

  const [{ run }, { processIo }] = await Promise.all([import('./main.ts'), import('./io.ts')]);
  const code = await run(argv, {
    io: processIo(),
    env: process.env,
    now: Date.now,
    signal: stopping.signal,
    prompter: async () => {
      const { terminalPrompter } = await import('./prompt/terminal-prompter.ts');
      return terminalPrompter({ output: process.stderr, signal: stopping.signal });
    },
  });
  process.exitCode = code;
  // What was interrupted may still hold sockets and timers; the last line leaves before they are cut off.
  if (stopping.signal.aborted) process.stdout.write('', () => process.exit(code));
}
