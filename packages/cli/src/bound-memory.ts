/** The size, in bytes, from which glibc returns freed memory to the system at once. Its usual threshold grows to 32 MB by itself. */
const MMAP_THRESHOLD = ['MALLOC_MMAP_THRESHOLD_', '131072'] as const;
/** In MiB, for each half. Node 24's default is 64, and it keeps what it has taken; with 8, copying makes an event cost 10% more. */
const SEMI_SPACE = ['--max-semi-space-size', '16'] as const;

/**
 * On Linux, starts this program again in the same process, with settings that only a start can give, so that memory which was needed for
 * a moment does not stay with the process. A server then takes 100 to 150 MB less after large events and under attack
 * (docs/decisions/memory.md). Settings of the caller win. The process ID, the streams and the terminal stay. The single-file program bounds
 * its memory without a new start.
 */
export function boundMemory(): void {
  const { env, execArgv, execPath, argv } = process;
  const [variable, bytes] = MMAP_THRESHOLD;
  const [flag, mebibytes] = SEMI_SPACE;
  // An IPC channel to the parent would not survive.
  if (process.platform !== 'linux' || !process.execve || process.send) return;
  const hasFlag = [...execArgv, env['NODE_OPTIONS'] ?? ''].some((option) => option.includes(flag));
  if (hasFlag && env[variable] !== undefined) return;
  const options = hasFlag ? execArgv : [`${flag}=${mebibytes}`, ...execArgv];
  process.execve(execPath, [execPath, ...options, ...argv.slice(1)], { [variable]: bytes, ...env });
}
