import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** A program that shows long text a screen at a time. */
export interface Pager {
  /** Resolves when there is room for more; `false` once the reader has quit. */
  write(text: string | Uint8Array): Promise<boolean>;
  /** Ends the text. */
  end(): void;
  /** The reader has quit. */
  readonly closed: Promise<void>;
}

/** Starts a pager, which gets the terminal; `null` where there is no such program. */
export function startPager(command: string, env: Env): Pager | null {
  if (!isProgram(command.trim().split(/\s+/)[0] ?? '', env)) return null;
  const child = spawn(command, {
    // A pager is a command line: `less -S`, `bat --plain | less`.
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    // As in Git: less ends at once if one screen is enough, shows colors, and leaves the text on the screen.
    env: { LESS: 'FRX', LV: '-c', ...env },
  });
  let left = false;
  const leave = (): void => void (left = true);
  const closed = new Promise<void>((resolve) => {
    child.once('close', resolve).once('error', () => resolve());
  });
  void closed.then(leave);
  child.stdin.on('error', leave);
  return {
    write: async (text) => {
      if (left) return false;
      if (child.stdin.write(text)) return true;
      const room = new Promise<void>((resolve) => void child.stdin.once('drain', resolve));
      await Promise.race([room, closed]);
      return !left;
    },
    end: () => void child.stdin.end(),
    closed,
  };
}

/** Reports whether the shell would find the program. A quoted command, or more than a name, is left to the shell. */
function isProgram(name: string, { PATH = '', PATHEXT = '' }: Env): boolean {
  if (/[^\w./+-]/.test(name)) return true;
  const endings = process.platform === 'win32' ? ['', ...PATHEXT.split(';')] : [''];
  const folders = name.includes('/') ? [''] : PATH.split(delimiter).filter(Boolean);
  return folders.some((folder) => endings.some((ending) => canRun(join(folder, name + ending))));
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
