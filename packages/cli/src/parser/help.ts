import type { Command } from '../spec/command.ts';

/** The last lines of `hubline --help`. */
export const EXIT_HELP = `Learn more:
  hubline <noun> --help          the verbs of a noun
  hubline <noun> <verb> --help   flags and examples
  hubline help environment       variables that are read
  hubline help exit-codes        what the exit code says
`;

/** What follows the flags of a leaf. */
export function examplesHelp(command: Command): string {
  const examples = command.examples.map((line) => `  $ ${line}`).join('\n');
  const fields = command.view.fields.join(', ');
  return `\nExamples:\n${examples}\n${fields ? `\nFields for --json=:\n  ${fields}\n` : ''}`;
}
