/** From here on glibc returns memory to the system as soon as it is free, in bytes: its usual threshold grows to 32 MB by itself. */
const MMAP_THRESHOLD = ['MALLOC_MMAP_THRESHOLD_', '131072'] as const;
/** In MiB, for each half. Node's default is 32, and it keeps what it has once taken; 8 copies so often that an event costs a tenth more. */
const SEMI_SPACE = ['--max-semi-space-size', '16'] as const;

/**
 * On Linux, replaces this process by itself with settings that only a start can give, so that memory which was needed for a moment does
 * not stay with the process. A server then takes 100 to 150 MB less after large events and under attack (docs/decisions/memory.md).
 * Settings of the caller's own win. The process id, the streams and the terminal stay. The one file bounds its memory without a new start.
 */
export function boundMemory(): void {
  const { env, execArgv, execPath, argv } = process;
  const [variable, bytes] = MMAP_THRESHOLD;
  const [flag, mebibytes] = SEMI_SPACE;
  // A channel to the parent would not survive.
  if (process.platform !== 'linux' || !process.execve || process.send || env[variable] !== undefined) return;
  const settings = { ...env, [variable]: bytes };
  const own = [...execArgv, env['NODE_OPTIONS'] ?? ''].some((option) => option.includes(flag));
  const options = own ? execArgv : [`${flag}=${mebibytes}`, ...execArgv];
  process.execve(execPath, [execPath, ...options, ...argv.slice(1)], settings);
}
