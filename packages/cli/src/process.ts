import { resolve } from 'node:path';
import { ENDING_SIGNALS, type EndingSignal, Interrupted } from './errors/errors.ts';
import { EXIT_CODES } from './errors/exit-codes.ts';
import type { Host, OneFile } from './host.ts';
import { programAnywhere, programName, type Started } from './program-name.ts';
import { processIo } from './terminal/io.ts';

/** Runs a command line. Completion does not load the parser, because a shell waits for it at every key. */
export async function runLine(argv: readonly string[], host: Host): Promise<number> {
  if (argv[0] === '__complete') {
    const { runComplete } = await import('./complete/run.ts');
    return runComplete(argv.slice(1), host);
  }
  const { run } = await import('./main.ts');
  return run(argv, host);
}

/** This program, if it is in a single file. */
function thisFile(): OneFile | undefined {
  const { getAsset, isSea } = process.getBuiltinModule('node:sea');
  return isSea() ? { path: process.execPath, releaseKey: getAsset('release-key', 'utf8') } : undefined;
}

// A server waits up to 30 s for running attempts.
const DRAIN_MS = 45_000;

/** Runs a command line as this process: its streams, its signals, its exit code. */
export async function startProcess(argv: readonly string[], { cache }: Pick<Host, 'cache'>): Promise<void> {
  const stopping = new AbortController();
  const onSignal = (signal: EndingSignal): void => {
    const interruption = new Interrupted(signal);
    // A second signal ends the process at once, but a terminal that closes may send several by itself.
    if (stopping.signal.aborted && signal !== 'SIGHUP') process.exit(interruption.exitCode);
    stopping.abort(interruption);
  };
  const handleSignals = (): void => ENDING_SIGNALS.forEach((signal) => process.on(signal, onSignal));
  handleSignals();
  let unhandled = false;

  const oneFile = thisFile();
  const started = describeStart(oneFile);
  const host: Host = {
    io: processIo(() => stopping.signal.aborted),
    program: programName(started),
    programAnywhere: programAnywhere(started),
    env: process.env,
    now: Date.now,
    signal: stopping.signal,
    absolute: (path) => resolve(path),
    oneFile,
    startInBackground: (words) => {
      const { spawn } = process.getBuiltinModule('node:child_process');
      spawn(process.execPath, [...words], { detached: true, stdio: 'ignore', windowsHide: true })
        .on('error', () => undefined)
        .unref();
    },
    systemRoot: '',
    cache,
    onUnhandled: (listener) => {
      // Node turns a rejection that nobody handles into an uncaught exception.
      process.on('uncaughtException', (error) => {
        unhandled = true;
        // The error itself may have stopped the shutdown.
        setTimeout(() => process.exit(EXIT_CODES.failure.code), DRAIN_MS).unref();
        listener(error);
      });
    },
    blocking: (work) => {
      ENDING_SIGNALS.forEach((signal) => process.off(signal, onSignal));
      try {
        return work();
      } finally {
        handleSignals();
      }
    },
    keychain: async () => {
      if (process.env['HUBLINE_KEYCHAIN'] === 'off') return null;
      const { systemKeychain } = await import('./config/keychain.ts');
      return systemKeychain();
    },
    pager: async (command) => {
      const { startPager } = await import('./terminal/pager.ts');
      const pager = startPager(command, process.env);
      // Ctrl-C belongs to the program that has the terminal.
      const leaveIt = (): void => undefined;
      if (pager) process.off('SIGINT', onSignal).on('SIGINT', leaveIt);
      void pager?.closed.then(() => process.off('SIGINT', leaveIt).on('SIGINT', onSignal));
      return pager;
    },
    prompter: async (style) => {
      const { terminalPrompter } = await import('./terminal/terminal-prompter.ts');
      return terminalPrompter({ output: process.stderr, signal: stopping.signal }, style);
    },
  };
  const code = await runLine(argv, host);
  process.exitCode = unhandled ? code || EXIT_CODES.failure.code : code;
  // An interrupted command may still hold sockets and timers; the last line is written before they are cut off.
  if (stopping.signal.aborted || unhandled) process.stdout.write('', () => process.exit());
}

function describeStart(file: OneFile | undefined): Started {
  const { env, argv, argv0 } = process;
  return { env, script: argv[1], file: file && { typed: argv0, path: file.path } };
}
