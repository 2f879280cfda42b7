import { wrap } from '../output/wrap.ts';
import type { Command } from '../spec/command.ts';

/** The last lines of `hubline --help`. */
export const EXIT_HELP = `Learn more:
  hubline <noun> --help          the verbs of a noun
  hubline <noun> <verb> --help   flags and examples
  hubline help environment       variables that are read
  hubline help exit-codes        what the exit code says
  hubline help formatting        --json, --jq, --template, -o
  hubline help webhooks          develop a receiver, send again what failed
`;

/** What follows the flags of a leaf. */
export function examplesHelp({ examples, view }: Command, width: number): string {
  const lines = examples.map((line) => `  $ ${line}\n`).join('');
  const fields = wrap(view.fields.join(', '), width - 2).map((line) => `  ${line}\n`);
  return `\nExamples:\n${lines}${fields.length > 0 ? `\nFields for --json=:\n${fields.join('')}` : ''}`;
}
