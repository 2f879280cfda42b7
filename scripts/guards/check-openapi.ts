/**
 * The OpenAPI document is what other people's tools read first, and two linters say what those stumble over: Redocly's
 * recommended rules and Spectral's for OpenAPI. A warning counts as an error.
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

// Neither usage reports nor the question whether there is a newer version leave the machine.
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
