import { spawn } from 'node:child_process';

type Opener = readonly [program: string, ...args: string[]];

const OPENERS: Partial<Record<NodeJS.Platform, Opener>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** An opener hands the address over and ends. One that goes on is the browser itself. */
const HANDED_OVER_MS = 2_000;

/**
 * Opens an address in the browser of the user; answers why that is not possible, or `null` when a browser has it. No shell sees the
 * address.
 */
export function openBrowser(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env: { ...env } });
    const end = (problem: string | null): void => {
      clearTimeout(patience);
      // The browser outlives this command.
      child.unref();
      resolve(problem);
    };
    const patience = setTimeout(() => end(null), HANDED_OVER_MS);
    child.once('error', (error: NodeJS.ErrnoException) =>
      end(error.code === 'ENOENT' ? `${program} is not installed` : error.message),
    );
    child.once('exit', (code) => end(code === 0 ? null : `${program} ended with ${code ?? 'a signal'}`));
  });
}
