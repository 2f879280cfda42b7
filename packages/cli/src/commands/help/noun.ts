import { EXIT_CODES } from '../../errors/exit-codes.ts';
import { RawText } from '../../output/items.ts';
import { globalFlagsHelp } from '../../parser/help.ts';
import { type Command, define, type NounEntry } from '../../spec/command.ts';
import { GLOBAL_FLAGS } from '../../spec/global-flags.ts';
import { flagTerm } from '../../spec/terms.ts';
import { view } from '../../spec/view.ts';
import { commandView, describeAll } from '../commands/commands.ts';
import { type Topic, topics } from './topics.ts';

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

const VARIABLES = {
  HUBLINE_API_KEY: 'key to authenticate with; wins over the saved one',
  HUBLINE_API_KEY_FILE: 'file with the key, for secrets mounted as files',
  HUBLINE_BASE_URL: 'API to talk to, such as https://hub.example.com/v1',
  HUBLINE_WORKSPACE: 'workspace to act in: id or slug',
  HUBLINE_CONTEXT: 'saved context to use',
  HUBLINE_CONFIG_DIR: 'directory of the configuration; default: the XDG one',
  HUBLINE_KEYCHAIN: 'off: keep keys in the configuration, not in the system keychain',
  HUBLINE_NO_INPUT: 'never ask: fail and name the flag instead',
  HUBLINE_NO_UPDATE_NOTICE: 'no note about a newer version',
  HUBLINE_UPGRADE_URL: 'where hubline upgrade finds releases, instead of GitHub',
  HUBLINE_PAGER: 'program for long output; empty or cat for none (then: PAGER, less)',
  HUBLINE_DEBUG: 'show requests on stderr, like --verbose',
  NO_COLOR: 'no color',
  CLICOLOR_FORCE: 'color even without a terminal (also FORCE_COLOR)',
  CI: 'never ask: nobody can answer',
  HTTPS_PROXY: 'proxy for requests to other machines (also HTTP_PROXY); needs Node.js 24.5',
  NO_PROXY: 'hosts to reach without the proxy',
  SSL_CERT_FILE: 'file with the certificates to trust, instead of those of Node.js',
  NODE_EXTRA_CA_CERTS: 'file with more certificates to trust',
} as const;

const environment = define({
  path: 'help environment',
  summary:
    'List the variables that hubline reads. Flags win over them, and they win over ./.hubline.toml and the saved context.',
  description: 'hubline server start also reads HUBLINE_<FLAG> for each of its flags.',
  examples: ['hubline help environment'],
  view: view<{ variable: string; meaning: string }>()({
    noun: ['variable', 'variables'],
    fields: ['variable', 'meaning'],
    columns: ['variable', { path: 'meaning', flexible: true }],
    id: 'variable',
  }),
  async *run() {
    for (const [variable, meaning] of Object.entries(VARIABLES)) yield { variable, meaning };
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
