import { RawText } from '../../output/raw-text.ts';
import { globalFlagsHelp } from '../../parser/help.ts';
import { define } from '../../spec/command.ts';
import { GLOBAL_FLAGS } from '../../spec/global-flags.ts';
import { flagTerm } from '../../spec/terms.ts';
import { view } from '../../spec/view.ts';

/** Wider text is hard to read. */
const WIDEST = 100;

export const command = define({
  path: 'help flags',
  summary: 'List the flags that every command takes.',
  examples: ['hubline help flags'],
  view: view<{ flag: string; meaning: string }>()({
    noun: ['flag', 'flags'],
    fields: ['flag', 'meaning'],
    columns: ['flag', { path: 'meaning', flexible: true }],
    id: 'flag',
  }),
  async *run({ io, machine }) {
    if (!machine) {
      yield new RawText(globalFlagsHelp(Math.min(io.stdout.columns, WIDEST)));
      return;
    }
    for (const [name, flag] of Object.entries(GLOBAL_FLAGS)) {
      yield { flag: flagTerm(name, flag), meaning: flag.summary };
    }
  },
});
