import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** The largest heap, in MB, while 40 MB stay in use and much else becomes old before it is garbage. */
async function peakOf(prepare: string): Promise<number> {
  const program = `
    ${prepare}
    const object = () => Array.from({ length: 100 }, (_, index) => index / 2);
    const used = Array.from({ length: 40_000 }, object);
    const passing = Array.from({ length: 8_000 }, object);
    let peak = 0;
    for (let count = 0; count < 400_000; count += 1) {
      passing[count % passing.length] = object();
      if (count % 1_000 === 0) peak = Math.max(peak, process.memoryUsage().heapUsed);
    }
    console.log(used.length && peak / 1e6);`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--max-semi-space-size=1',
    '--input-type=module',
    '-e',
    program,
  ]);
  return Number(stdout);
}

it('old memory grows less before V8 collects it', async () => {
  const module = new URL('settle-heap.ts', import.meta.url).href;
  const settle = `const { settleHeap } = await import(${JSON.stringify(module)}); settleHeap();`;
  const [usual, settled] = [await peakOf(''), await peakOf(settle)];
  expect(settled).toBeLessThan(0.85 * usual);
}, 60_000);
