import type { Host } from './host.ts';

/** Runs a command line. A shell that completes waits at every key: it gets its answer without the parser. */
export async function runLine(argv: readonly string[], host: Host): Promise<number> {
  if (argv[0] === '__complete') {
    const { runComplete } = await import('./complete/run.ts');
    return runComplete(argv.slice(1), host);
  }
  const { run } = await import('./main.ts');
  return run(argv, host);
}
