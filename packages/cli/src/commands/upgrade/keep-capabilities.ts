import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Context } from '../../context.ts';
import { previousOf } from './put-in-place.ts';
import { shellWord } from '../../terminal/shell-word.ts';

const run = promisify(execFile);

/** The capability for ports below 1024: its number in the kernel, and its text for `setcap`. */
const LOW_PORTS = { bit: 10n, text: 'cap_net_bind_service=ep' };

/**
 * Gives a program that was put in place the capabilities that `setcap` gave the former one, because the system keeps them with the file. A
 * user who may not do that is told what to type.
 */
export async function keepCapabilities(
  ctx: Pick<Context, 'env' | 'warn'>,
  path: string,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  if (platform !== 'linux') return;
  // `getcap` and `setcap` are in folders that are often not in the path of a user.
  const env = { ...ctx.env, PATH: `${ctx.env['PATH'] ?? ''}:/usr/sbin:/sbin` };
  const former = (await capabilitiesOf(previousOf(path), env)) ?? (await ownCapabilities());
  if (former === '' || (await capabilitiesOf(path, env)) === former) return;
  try {
    await run('setcap', [former, path], { env });
  } catch {
    await ctx.warn(
      `${path} lost the capabilities of the old file (${former}), such as using ports below 1024. Give them back: sudo setcap ${shellWord(former)} ${shellWord(path)}`,
    );
  }
}

/** The capabilities of a file, as `setcap` takes them; empty for none, `null` if there is no `getcap`. */
async function capabilitiesOf(file: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  try {
    const { stdout } = await run('getcap', [file], { env });
    // Older versions write an equals sign between file and capabilities.
    return stdout.trim().slice(file.length).replace(/^ =/, '').trim();
  } catch {
    return null;
  }
}

/** The capability for low ports, if this process, which runs the former program, has it. Root has it without the file. */
async function ownCapabilities(): Promise<string> {
  if (process.getuid?.() === 0) return '';
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const permitted = BigInt(`0x${/^CapPrm:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  return ((permitted >> LOW_PORTS.bit) & 1n) === 1n ? LOW_PORTS.text : '';
}
