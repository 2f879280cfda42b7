import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** The output of a program, after a function of the module has been called, if one is named. */
async function run(
  program: string,
  { after, flags = [] }: { after?: string; flags?: string[] } = {},
): Promise<string> {
  const module = JSON.stringify(new URL('tune-v8.ts', import.meta.url).href);
  const prepare = after === undefined ? '' : `(await import(${module})).${after}();`;
  const args = ['--max-semi-space-size=1', ...flags, '--input-type=module', '-e', `${prepare}\n${program}`];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout;
}

it('old memory grows less before V8 collects it', async () => {
  // 40 MB stay in use, and much else becomes old before it is garbage.
  const peak = `
    const object = () => Array.from({ length: 100 }, (_, index) => index / 2);
    const used = Array.from({ length: 40_000 }, object);
    const passing = Array.from({ length: 8_000 }, object);
    let peak = 0;
    for (let count = 0; count < 400_000; count += 1) {
      passing[count % passing.length] = object();
      if (count % 1_000 === 0) peak = Math.max(peak, process.memoryUsage().heapUsed);
    }
    console.log(used.length && peak);`;
  const [usual, settled] = [await run(peak), await run(peak, { after: 'settleHeap' })];
  expect(Number(settled)).toBeLessThan(0.85 * Number(usual));
}, 60_000);

it('objects are made in young memory, even if many of them had to wait for a while', async () => {
  // First, 50,000 objects are in use at any time, then 64.
  const program = `
    const object = (at) => ({ at, list: [at, at + 0.5], inner: { at } });
    const open = [];
    const pass = (most) => {
      for (let at = 0; at < 100_000; at += 1) open[at % most] = object(at);
    };
    for (let time = 0; time < 5; time += 1) pass(50_000);
    open.length = 0;
    console.log('then');
    for (let time = 0; time < 10; time += 1) pass(64);`;
  // In one thread, V8 decides and compiles at the same points in each run.
  const flags = ['--single-threaded', '--trace-gc'];
  const collections = async (after?: string) => {
    const [, then = ''] = (await run(program, { flags, ...(after && { after }) })).split('then\n');
    return then.split('Scavenge').length - 1;
  };
  const [usual, kept] = [await collections(), await collections('keepNewObjectsYoung')];
  expect(kept).toBeGreaterThan(10 * usual);
}, 60_000);

it('a function is compiled for speed once, and soon', async () => {
  const program = `
    const add = (sum, value) => sum + value * 2;
    let sum = 0;
    for (let call = 0; call < 2_500; call += 1) for (let at = 0; at < 3; at += 1) sum = add(sum, at);
    console.log(sum);`;
  const compilers = async (after?: string) => {
    const flags = ['--single-threaded', '--trace-opt', '--no-use-osr'];
    const text = await run(program, { flags, ...(after && { after }) });
    return [...text.matchAll(/completed compiling .*<JSFunction add .*target (\w+)/g)].map(([, by]) => by);
  };
  expect([await compilers(), await compilers('compileInOneStep')]).toEqual([['MAGLEV'], ['TURBOFAN_JS']]);
}, 60_000);

it('new objects are collected by one thread', async () => {
  const program = `
    const kept = [];
    for (let count = 0; count < 2_000_000; count += 1) kept[count % 20_000] = { count, list: [count] };
    console.log(kept.length);`;
  const flags = ['--trace-gc', '--trace-parallel-scavenge', '--max-semi-space-size=16'];
  const shares = async (after?: string) => {
    const text = await run(program, { flags, ...(after && { after }) });
    const [parts = 0, collections = 0] = [/scavenge\[/g, /Scavenge/g].map((line) => text.match(line)?.length);
    return parts / collections;
  };
  expect(await shares()).toBeGreaterThan(1);
  expect(await shares('collectAlone')).toBe(1);
}, 60_000);
