import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { makeDirectory } from '../config/make-directory.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors/errors.ts';
import { scripts, type Shell, SHELLS } from './scripts.ts';
import { powershellWord, shellWord } from '../terminal/shell-word.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The script of a completion. */
interface ScriptFile {
  readonly file: string;
  /** A step that the user has to do once; `null` for none. */
  readonly next: string | null;
}

/** The named shell, or else the user's. */
export function chooseShell(named: string | undefined, env: Env): Shell {
  // Git Bash passes on the path of a Windows program.
  const own = basename(env['SHELL'] ?? '', '.exe');
  const wanted = named ?? (own || (env['PSModulePath'] ? 'powershell' : ''));
  const shell = SHELLS.find((each) => each === wanted || (each === 'powershell' && wanted === 'pwsh'));
  if (shell) return shell;
  throw usageError(
    wanted === '' ? 'The shell is unknown.' : `There is no completion for ${wanted}.`,
    `Name one of: ${SHELLS.join(', ')}.`,
  );
}

/** The file for a completion, in a folder from which the shell loads it by itself; if there is none, elsewhere, with a line to add. */
function scriptFileOf(shell: Shell, env: Env): ScriptFile {
  const home = env['HOME'] || homedir();
  const data = env['XDG_DATA_HOME'] || join(home, '.local', 'share');
  const config = env['XDG_CONFIG_HOME'] || join(home, '.config');
  const functions = join(data, 'zsh', 'site-functions');
  const powershell = join(config, 'powershell', 'hubline.ps1');
  const files: Record<Shell, ScriptFile> = {
    bash: bashFile(data, env),
    zsh: {
      file: join(functions, '_hubline'),
      next: `Before compinit in ~/.zshrc, unless it is there: fpath=(${shellWord(functions)} $fpath)`,
    },
    fish: { file: join(config, 'fish', 'completions', 'hubline.fish'), next: null },
    powershell: {
      file: powershell,
      next: `In $PROFILE, unless it is there: . ${powershellWord(powershell)}`,
    },
  };
  return files[shell];
}

/** bash itself loads none: the package bash-completion does, and not every machine has it. */
function bashFile(data: string, env: Env): ScriptFile {
  const file = join(data, 'bash-completion', 'completions', 'hubline');
  const shared = env['XDG_DATA_DIRS'] || '/usr/local/share:/usr/share:/opt/homebrew/share';
  const installed = [data, ...shared.split(':')].some((directory) =>
    existsSync(join(directory, 'bash-completion', 'bash_completion')),
  );
  return {
    file,
    next: installed
      ? null
      : `bash-completion is not installed, so bash will not find it. Install that, or add to ~/.bashrc: source ${shellWord(file)}`,
  };
}

/** Writes the script to its place. */
export async function installCompletion({ env, perform }: Context, shell: Shell): Promise<ScriptFile> {
  const script = scriptFileOf(shell, env);
  return perform(`write ${script.file}`, async () => {
    makeDirectory(dirname(script.file));
    await writeFile(script.file, scripts[shell]);
    return script;
  });
}

/** Removes the script from its place. */
export async function uninstallCompletion({ env, perform }: Context, shell: Shell): Promise<ScriptFile> {
  const { file } = scriptFileOf(shell, env);
  await perform(`remove ${file}`, () => rm(file, { force: true }));
  return { file, next: null };
}
