import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { Interrupted } from '../errors/errors.ts';
import { type Finished, runCli, temporaryDirectory } from './run-cli.ts';
import { PATIENT } from '../../test/support/spawn-cli.ts';
import { testIo } from './test-io.ts';

interface Serving {
  /** Default: a new directory. */
  readonly data?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** `hubline server start` in this process, once it listens: a separate process takes seconds. */
export async function serve(line: readonly string[] = [], { data, env }: Serving = {}) {
  const directory = data ?? join(await temporaryDirectory(), 'data');
  const io = testIo();
  const stopping = new AbortController();
  let ended = false;
  const running = runCli(['server', 'start', '--port=0', `--data=${directory}`, ...line], {
    io,
    env: { HUBLINE_LOG_LEVEL: 'silent', ...env },
    signal: stopping.signal,
  }).finally(() => (ended = true));
  const stop = (): Promise<Finished> => {
    stopping.abort(new Interrupted('SIGTERM'));
    return running;
  };
  onTestFinished(() => void stop());
  await vi.waitUntil(() => ended || io.out().includes('\n'), PATIENT);
  return { data: directory, out: () => io.out(), stop };
}
