import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCli, temporaryDirectory } from '../../test/run-cli.ts';

/** Runs `hubline service` on a system in a directory, with a `systemctl` that writes down its arguments. */
export async function image() {
  const root = await temporaryDirectory();
  const bin = join(root, 'bin');
  const calls = join(root, 'calls');
  await mkdir(bin);
  for (const program of ['systemctl', 'systemd-sysusers', 'hubline']) {
    await writeFile(join(bin, program), `#!/bin/sh\necho "$*" >> ${calls}\n`);
    await chmod(join(bin, program), 0o755);
  }
  return {
    root,
    /** Writes a file, in directories that everybody may enter. */
    write: async (name: string, { text = '', mode = 0o644 }: { text?: string; mode?: number } = {}) => {
      await mkdir(join(root, dirname(name)), { recursive: true, mode: 0o755 });
      await writeFile(join(root, name), text);
      await chmod(join(root, name), mode);
    },
    read: (name: string) => readFile(join(root, name), 'utf8'),
    called: async () => (await readFile(calls, 'utf8').catch(() => '')).split('\n').filter(Boolean),
    run: (...line: string[]) =>
      runCli(['service', ...line], { systemRoot: root, env: { PATH: `${bin}:${process.env['PATH']}` } }),
  };
}
