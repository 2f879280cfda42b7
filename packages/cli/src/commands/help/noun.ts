import { EXIT_CODES } from '../../errors/exit-codes.ts';
import { RawText } from '../../output/items.ts';
import { globalFlagsHelp } from '../../parser/help.ts';
import { type Command, define, type NounEntry } from '../../spec/command.ts';
import { GLOBAL_FLAGS } from '../../spec/global-flags.ts';
import { flagTerm } from '../../spec/terms.ts';
import { view } from '../../spec/view.ts';
import { commandView, describeAll } from '../commands/commands.ts';
import { type Topic, topics } from './topics.ts';
import { OF_SERVERS, VARIABLES } from './variables.ts';

const topicView = view<Topic>()({
  noun: ['topic', 'topics'],
  fields: ['name', 'title', 'text'],
  columns: ['name', 'title'],
  id: 'name',
});

/** `hubline help <topic>`. */
function topicCommand(topic: Topic): Command {
  return define({
    path: `help ${topic.name}`,
    summary: `${topic.title}, explained.`,
    examples: [`hubline help ${topic.name}`],
    view: topicView,
    async *run(ctx): AsyncGenerator<Topic | RawText> {
      yield ctx.machine ? topic : new RawText(topic.text);
    },
  });
}

/** Wider text is hard to read. */
const WIDEST = 100;

const flags = define({
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

const environment = define({
  path: 'help environment',
  summary:
    'List the variables that hubline reads. Flags win over them, and they win over ./.hubline.toml and the saved context.',
  description: 'The server reads those below hubline server start, and ignores the others.',
  examples: ['hubline help environment'],
  view: view<{ variable: string; meaning: string }>()({
    noun: ['variable', 'variables'],
    fields: ['variable', 'meaning'],
    columns: ['variable', { path: 'meaning', flexible: true }],
    id: 'variable',
  }),
  async *run() {
    for (const [variable, meaning] of Object.entries({ ...VARIABLES, ...OF_SERVERS }))
      yield { variable, meaning };
  },
});

const exitCodes = define({
  path: 'help exit-codes',
  summary: 'List what each exit code means.',
  examples: ['hubline help exit-codes', 'hubline help exit-codes --json'],
  view: view<{ code: number; meaning: string }>()({
    noun: ['exit code', 'exit codes'],
    fields: ['code', 'meaning'],
    columns: ['code', { path: 'meaning', flexible: true }],
    id: 'code',
  }),
  async *run() {
    yield* Object.values(EXIT_CODES);
  },
});

/** `nouns`: the registry. This file cannot import it, because the registry loads this file. */
export function commandsOf(nouns: readonly NounEntry[]) {
  const reference = define({
    path: 'help reference',
    summary: 'List every command in one go: the same as hubline commands.',
    examples: ['hubline help reference'],
    view: commandView,
    run: () => describeAll(nouns),
  });
  return [flags, exitCodes, environment, ...topics.map(topicCommand), reference] as const;
}
