/** Runs vitest, live on the terminal, and counts what it reports. A run that ends without a report has failed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../workspace.ts';
import { countTests } from './count-tests.ts';
import type { Count } from './count-tests.ts';

/** A limit for a hang: the tests take ten minutes on two cores, and a slow machine that makes progress is not stopped. */
const LIMIT_MS = 45 * 60_000;

export async function runTests(filters: readonly string[]): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), 'hubline-test-'));
  const file = join(folder, 'report.json');
  try {
    const args = ['run', ...filters, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const child = spawn('vitest', args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    const [exitCode] = (await once(child, 'exit')) as [number | null];
    return countTests(readReport(file), exitCode);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
