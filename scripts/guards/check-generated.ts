/** Generated files are committed so that they can be read and reviewed; this proves that nobody edited or forgot them. */
import { spawnSync } from 'node:child_process';
import { report } from '../report.ts';
import { hasSources, workspacePackages } from '../workspace.ts';

const generators = workspacePackages().filter((pkg) => pkg.manifest.scripts?.['generate'] && hasSources(pkg));
const problems = generators.flatMap(({ path, manifest }) => {
  const { status } = spawnSync(process.execPath, ['--run', 'generate', '--', '--check'], {
    cwd: path,
    stdio: 'inherit',
  });
  return status === 0
    ? []
    : [`${manifest.name} has generated files out of date: run \`pnpm --filter ${manifest.name} generate\``];
});
report(problems, `Generated files of ${generators.length} package(s)`);
