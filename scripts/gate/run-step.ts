/** Runs one step to its end. Its output is kept until then, so that the output of steps that run side by side is not mixed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../workspace.ts';
import type { Step } from './steps.ts';

export interface StepResult {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly output: string;
}

/** A limit for a hang: the slowest step takes a minute on two cores, and many minutes on a busy machine. */
const LIMIT_MS = 20 * 60_000;

/** Compiled code, which most steps share: the server's sources, compilers, linters. */
const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/node');

/**
 * The linter and the compiler are written in Go. Two steps run side by side, so each has half of the cores: with more threads, the linter
 * takes 1.8 times the processor's time. Garbage is collected half as often as usual.
 */
const GO = { GOMAXPROCS: String(Math.max(1, Math.floor(availableParallelism() / 2))), GOGC: '200' };

export async function runStep({ name, command: [file, ...args], shorten }: Step): Promise<StepResult> {
  const started = performance.now();
  let output = '';
  const child = spawn(file, args, {
    cwd: root,
    env: { NODE_COMPILE_CACHE, ...GO, ...process.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // `spawn`'s own timeout would keep this process alive that long if the program cannot be started.
  let timedOut = false;
  const limit = setTimeout(() => {
    timedOut = child.kill('SIGKILL');
  }, LIMIT_MS);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  let passed = false;
  try {
    // A program that cannot be started rejects both promises; the error is handled where the second is awaited.
    const closed = once(child, 'close').catch(() => undefined);
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    passed = code === 0;
    if (signal) output += `\nkilled by ${signal}${timedOut ? ` after ${LIMIT_MS / 1000} s` : ''}\n`;
    // Processes that a killed step has started may hold the pipe open forever.
    await Promise.race([closed, delay(1_000, undefined, { ref: false })]);
  } catch (error) {
    output += `cannot start ${file}: ${String(error)}\n`;
  } finally {
    clearTimeout(limit);
  }
  const seconds = (performance.now() - started) / 1000;
  return { name, passed, seconds, output: shorten?.(output) ?? output };
}

/** Runs the steps side by side, `slots` at a time, and reports each as it ends. */
export async function runPhase(
  steps: readonly Step[],
  slots: number,
  onResult: (result: StepResult) => void,
): Promise<void> {
  const queue = [...steps];
  const slot = async (): Promise<void> => {
    for (let step = queue.shift(); step; step = queue.shift()) onResult(await runStep(step));
  };
  await Promise.all(Array.from({ length: slots }, slot));
}
