/**
 * Lints the OpenAPI document, which other people's tools read first, by Redocly's recommended rules and Spectral's rules for
 * OpenAPI. A warning counts as an error.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { report } from '../report.ts';
import { root } from '../workspace.ts';

const FOLDER = join(root, 'packages/contract');

const LINTERS = [
  ['redocly', 'lint', 'openapi.json', '--config=redocly.yaml', '--format=stylish'],
  ['spectral', 'lint', 'openapi.json', '--ruleset=spectral.yaml', '--fail-severity=hint'],
] as const;

// No usage reports and no checks for a newer version leave the machine.
const env = {
  ...process.env,
  NODE_OPTIONS: '',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
};

const problems = LINTERS.flatMap(([command, ...args]) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: FOLDER, env, encoding: 'utf8' });
  return status === 0 ? [] : [`${command}: ${error?.message ?? `${stdout}${stderr}`}`];
});
report(problems, 'Rules of Redocly and Spectral');
