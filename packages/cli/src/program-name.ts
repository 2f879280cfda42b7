import { nouns, SHORTCUTS } from './commands/registry.ts';

/** The name of the program once it is installed: the one that all texts are written with. */
const PROGRAM = 'hubline';

/** The command that started this program: installed, by npx, or from a clone of the repository. */
export function programName(
  env: Readonly<Record<string, string | undefined>>,
  script: string | undefined,
): string {
  const { npm_package_name: project, npm_lifecycle_event: event = '' } = env;
  if (project === 'hubline' && ['hubline', 'start'].includes(event)) return 'npx -y pnpm@12 --silent hubline';
  return script && /[\\/]_npx[\\/]/.test(script) ? 'npx @hubline/cli' : PROGRAM;
}

const WORDS = [...nouns.map(({ name }) => name), ...Object.keys(SHORTCUTS)].join('|');
const COMMAND = new RegExp(`(?<![\\w/.-])${PROGRAM}(?= (?:${WORDS})\\b)`, 'g');

/** Rewrites the commands in a text as they must be typed here. */
export function asTyped(text: string, program: string): string {
  return program === PROGRAM ? text : text.replace(COMMAND, program);
}
