import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { root } from '../workspace.ts';

it('a clone by Git for Windows has the same line ends', () => {
  // An archive gets the line ends of a checkout.
  const archive = execFileSync(
    'git',
    ['-c', 'core.autocrlf=true', 'archive', '--worktree-attributes', 'HEAD', 'package.json'],
    { cwd: root, encoding: 'utf8' },
  );
  expect(archive).toContain('"name": "hubline-workspace"');
  expect(archive).not.toContain('\r');
});
