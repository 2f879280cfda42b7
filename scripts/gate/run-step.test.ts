import { expect, it } from 'vitest';
import { runPhase, runStep } from './run-step.ts';
import type { StepResult } from './run-step.ts';

const node = (name: string, code: string) => ({ name, command: [process.execPath, '-e', code] as const });

it('passes a step that exits with 0', async () => {
  expect(await runStep(node('fine', ''))).toMatchObject({ name: 'fine', passed: true });
});

it('fails a step that exits otherwise, and keeps its output', async () => {
  const result = await runStep(node('bad', 'console.log("out"); console.error("err"); process.exitCode = 3'));
  expect(result.passed).toBe(false);
  expect(result.output).toContain('out');
  expect(result.output).toContain('err');
});

it('fails a step that is killed, and does not blame the time limit for it', async () => {
  expect(await runStep(node('killed', 'process.kill(process.pid, "SIGKILL")'))).toMatchObject({
    passed: false,
    output: '\nkilled by SIGKILL\n',
  });
});

it('fails a step whose program does not exist, and says so', async () => {
  const result = await runStep({ name: 'gone', command: ['hubline-no-such-program'] });
  expect(result).toMatchObject({
    passed: false,
    output: expect.stringContaining('hubline-no-such-program') as string,
  });
});

it('does not keep the process alive for a program that does not exist', async () => {
  const module = JSON.stringify(new URL('run-step.ts', import.meta.url).href);
  const step = `{ name: 'gone', command: ['hubline-no-such-program'] }`;
  const code = `import(${module}).then(({ runStep }) => runStep(${step}))`;
  expect(await runStep(node('runner', code))).toMatchObject({ passed: true });
});

it('gives a step no input to wait for', async () => {
  expect(await runStep(node('reader', 'process.stdin.resume()'))).toMatchObject({ passed: true });
});

it('goes on after a failing step', async () => {
  const results: StepResult[] = [];
  await runPhase([node('a', 'process.exit(1)'), node('b', ''), node('c', '')], 1, (result) =>
    results.push(result),
  );
  expect(results.map(({ name, passed }) => [name, passed])).toEqual([
    ['a', false],
    ['b', true],
    ['c', true],
  ]);
});
