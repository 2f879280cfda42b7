import { Interrupted } from './errors.ts';
import type { Host } from './host.ts';
import { processIo } from './io.ts';
import { programName } from './program-name.ts';
import { runLine } from './run-line.ts';

/** Runs a command line as this process: its streams, its signals, its exit code. */
export async function startProcess(argv: readonly string[], { cache }: Pick<Host, 'cache'>): Promise<void> {
  const stopping = new AbortController();
  const onSignal = (signal: 'SIGINT' | 'SIGTERM'): void => {
    const interruption = new Interrupted(signal);
    // The second signal is meant: what still drains is left.
    if (stopping.signal.aborted) process.exit(interruption.exitCode);
    stopping.abort(interruption);
  };
  const handleSignals = (): void => void process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  handleSignals();

  const host: Host = {
    io: processIo(),
    program: programName(process.env, process.argv[1]),
    env: process.env,
    now: Date.now,
    signal: stopping.signal,
    cwd: process.cwd(),
    cache,
    blocking: (work) => {
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
      try {
        return work();
      } finally {
        handleSignals();
      }
    },
    keychain: async () => {
      if (process.env['HUBLINE_KEYCHAIN'] === 'off') return null;
      const { systemKeychain } = await import('./keychain/system-keychain.ts');
      return systemKeychain();
    },
    pager: async (command) => {
      const { startPager } = await import('./pager.ts');
      const pager = startPager(command, process.env);
      // Ctrl-C is for whoever has the terminal.
      const leaveIt = (): void => undefined;
      if (pager) process.off('SIGINT', onSignal).on('SIGINT', leaveIt);
      void pager?.closed.then(() => process.off('SIGINT', leaveIt).on('SIGINT', onSignal));
      return pager;
    },
    prompter: async (style) => {
      const { terminalPrompter } = await import('./prompt/terminal-prompter.ts');
      return terminalPrompter({ output: process.stderr, signal: stopping.signal }, style);
    },
  };
  const code = await runLine(argv, host);
  process.exitCode = code;
  // What was interrupted may still hold sockets and timers; the last line leaves before they are cut off.
  if (stopping.signal.aborted) process.stdout.write('', () => process.exit(code));
}
