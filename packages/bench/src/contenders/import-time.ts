import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Milliseconds that a fresh process takes to load a module, without the start of Node itself. */
export async function importMs(specifier: string, cwd: string): Promise<number> {
  const program = `
    const started = performance.now();
    await import(${JSON.stringify(specifier)});
    console.log(performance.now() - started);
  `;
  // Without the condition for sources: users load the build.
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd, env });
  return Number(stdout);
}
