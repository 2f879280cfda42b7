import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The versions that were measured. Their install scripts, which would download programs, are not run. */
const PEERS = { '@stripe/cli': '1.52.0', 'hookdeck-cli': '2.6.0' };

const CPU = process.arch === 'x64' ? 'amd64' : process.arch;
const SUFFIX = process.platform === 'win32' ? '.exe' : '';

/** The programs themselves, without the Node that npm puts in front of them. */
const PROGRAMS = {
  stripe: `@stripe/cli-${process.platform}-${process.arch}/bin/stripe${SUFFIX}`,
  hookdeck: `hookdeck-cli/binaries/${process.platform}-${CPU}/hookdeck${SUFFIX}`,
} as const;

/** A program by its name. */
export interface NativeCli {
  readonly name: keyof typeof PROGRAMS;
  readonly program: string;
}

/**
 * Installs the CLIs of Stripe and Hookdeck, compiled Go programs, from npm into a folder: 120 MB that no clone of the project
 * should have to fetch. Those that cannot be fetched are left out.
 */
export function installNativeClis(folder: string): NativeCli[] {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: PEERS }));
  try {
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: 'ignore',
      shell: process.platform === 'win32',
    });
  } catch {
    return [];
  }
  return (Object.entries(PROGRAMS) as [NativeCli['name'], string][])
    .map(([name, path]) => ({ name, program: join(folder, 'node_modules', path) }))
    .filter(({ program }) => existsSync(program));
}
