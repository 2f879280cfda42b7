/** The examples are the first code a newcomer runs: they are run here too, as they are, to their end. */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { report } from './report.ts';
import { root } from './workspace.ts';

const demos = globSync('examples/*/demo.ts', { cwd: root }).toSorted();
const problems = demos.flatMap((demo) => {
  const { status, signal } = spawnSync(process.execPath, ['--conditions=hubline-source', demo], {
    cwd: root,
    stdio: 'inherit',
  });
  return status === 0 ? [] : [`${demo} ended with ${signal ?? `exit code ${status}`}`];
});
report(problems, `${demos.length} example(s)`);
