import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** The calls of a function after which V8 has compiled it for speed, to the next thousand; `most` if it has not by then. */
async function callsUntilFast(prepare: string, most = Infinity): Promise<number> {
  const program = `
    ${prepare}
    const TURBOFANNED = 1 << 6;
    const work = (text) => text.length + text.charCodeAt(0);
    let calls = 0;
    let sum = 0;
    while (calls < ${most} && !(%GetOptimizationStatus(work) & TURBOFANNED)) {
      for (let count = 0; count < 1_000; count += 1) sum += work('text');
      calls += 1_000;
      // V8 compiles in another thread, and takes the result over between two turns of the event loop.
      await new Promise((resume) => setTimeout(resume));
    }
    console.log(sum && calls);`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--allow-natives-syntax',
    '--input-type=module',
    '-e',
    program,
  ]);
  return Number(stdout);
}

it('compiles functions for speed after many more calls', async () => {
  const module = new URL('optimize-late.ts', import.meta.url).href;
  const late = `const { optimizeLate } = await import(${JSON.stringify(module)}); optimizeLate();`;
  // On a busy machine the compiler's thread may take long. The function itself is due after some 120,000 calls.
  const most = Math.min(2 * (await callsUntilFast('')), 500_000);
  expect(await callsUntilFast(late, most)).toBe(most);
}, 60_000);
