import { shellWord } from './terminal/shell-word.ts';

/** The name of the installed program, which all texts use. */
export const PROGRAM = 'hubline';

/** The name of the repository's own package, which pnpm tells to the scripts that it runs. */
const CLONE = 'hubline-workspace';

/** The facts that show how this program was started. */
export interface Started {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file that Node runs: `process.argv[1]`. */
  readonly script: string | undefined;
  /** The single-file program that holds Node and everything else: as it was typed, and its path. */
  readonly file?: { readonly typed: string; readonly path: string } | undefined;
}

/** The command that starts this program in the folder in which it was typed: installed, by npx, as one file, or from a clone. */
export function programName({ env, script = '', file }: Started): string {
  if (file) return shellWord(file.typed);
  const { npm_package_name: project, npm_lifecycle_event: event = '' } = env;
  if (project === CLONE && ['hubline', 'start'].includes(event)) {
    const clone = SOURCE.exec(script)?.[1];
    // pnpm starts scripts in the folder of the project, and keeps the one in which it was typed.
    const { INIT_CWD: folder = clone } = env;
    return fromClone(folder === clone ? undefined : clone);
  }
  return BY_NPX.test(script) ? 'npx hubline' : PROGRAM;
}

/** The command that starts this program from any folder. */
export function programAnywhere({ script = '', file }: Started): string {
  if (file) return file.typed === PROGRAM ? PROGRAM : shellWord(file.path);
  const [, clone] = SOURCE.exec(script) ?? [];
  if (clone !== undefined) return fromClone(clone);
  if (BY_NPX.test(script)) return 'npx -y hubline';
  // A program that is installed in a project is not found from other folders.
  return OF_A_PROJECT.test(script) ? shellWord(script) : PROGRAM;
}

/** The command for a clone: the one in this folder, or that in `directory`. */
const fromClone = (directory: string | undefined): string =>
  `npx -y pnpm@12 --silent ${directory === undefined ? '' : `-C ${shellWord(directory)} `}${PROGRAM}`;

const BY_NPX = /[\\/]_npx[\\/]/;
const SOURCE = /^(.+)[\\/]packages[\\/]cli[\\/]src[\\/]bin\.ts$/;
const OF_A_PROJECT = /[\\/]node_modules[\\/]\.bin[\\/]/;
