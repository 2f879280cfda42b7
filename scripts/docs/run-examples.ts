/** Runs the examples as they are, to their end: they are the first code that a newcomer runs. */
import { globSync } from 'node:fs';
import { runPhase } from '../gate/run-step.ts';
import { report } from '../report.ts';
import { root } from '../workspace.ts';

/** Some examples wait for the retry of a delivery; others run meanwhile. */
const AT_ONCE = 3;

const demos = globSync('examples/*/demo.ts', { cwd: root }).toSorted();
const steps = demos.map((name) => ({
  name,
  command: [process.execPath, '--conditions=hubline-source', name] as const,
}));
const problems: string[] = [];
await runPhase(steps, AT_ONCE, ({ name, passed, output }) => {
  if (!passed) problems.push(`${name} failed:\n${output}`);
});
report(problems, `${demos.length} example(s)`);
