/**
 * The test command: runs every guard and every test, continues after failures, and ends with one line of counts.
 *
 *   pnpm test                   everything
 *   pnpm test lint types        only these guards
 *   pnpm test packages/sdk      only the test files whose path contains this
 *   pnpm test --project=sdk     only this project; every flag goes to vitest
 *   pnpm test guards | tests    one half
 */
import { runPhase } from './gate/run-step.ts';
import type { StepResult } from './gate/run-step.ts';
import { runTests } from './gate/run-tests.ts';
import { afterTests, beforeTests, isNamed } from './gate/steps.ts';
import type { Step } from './gate/steps.ts';

const AT_ONCE = 2;

const words = process.argv.slice(2).filter((word) => word !== '--');
const names = new Set([...beforeTests, ...afterTests].flat().map(({ name }) => name));
const filters = words.filter((word) => !names.has(word) && word !== 'guards' && word !== 'tests');
const everything = words.length === 0;
const testsWanted = everything || filters.length > 0 || words.includes('tests');
const wanted = (step: Step): boolean => everything || words.includes('guards') || isNamed(step, words);

const failures: string[] = [];
let passed = 0;
let failed = 0;

function show({ name, passed: ok, seconds, output }: StepResult): void {
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(16)} ${seconds.toFixed(1).padStart(5)} s`);
  if (ok) {
    passed += 1;
    return;
  }
  failed += 1;
  failures.push(name);
  console.log(output.trimEnd().replaceAll(/^/gm, '     '));
}

async function runPhases(phases: readonly (readonly Step[])[]): Promise<void> {
  for (const phase of phases) await runPhase(phase.filter(wanted), AT_ONCE, show);
}

const started = performance.now();
await runPhases(beforeTests);
if (testsWanted) {
  const testsStarted = performance.now();
  const count = await runTests(filters);
  passed += count.passed;
  failed += count.failed;
  if (count.failed > 0) failures.push('tests');
  if (count.skipped > 0) console.log(`${count.skipped} test(s) skipped`);
  console.log(`     tests took ${((performance.now() - testsStarted) / 1000).toFixed(1)} s`);
}
await runPhases(afterTests);

console.log(`\nFinished in ${((performance.now() - started) / 1000).toFixed(0)} s.`);
if (failures.length > 0) console.log(`Failed: ${failures.join(', ')}`);
process.exitCode = failed > 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);
