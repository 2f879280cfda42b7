import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.ts';

/** Copies the tree as it is, without ignored files, into its own repository, so that a release commits and tags nothing here. */
export function copyTree(target: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
  for (const file of files) cpSync(join(root, file), join(target, file));
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=Rehearsal', '-c', 'user.email=rehearsal@localhost', ...args], {
      cwd: target,
    });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  // The user's signing key and hooks do not apply to the copy.
  git('commit', '--quiet', '--no-verify', '--no-gpg-sign', '--message', 'As it is');
}
