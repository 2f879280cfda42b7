import { define } from '../../spec/command.ts';
import { type CommandInfo, describeCommand } from '../../spec/describe-command.ts';
import { view } from '../../spec/view.ts';

export const commandView = view<CommandInfo>()({
  noun: ['command', 'commands'],
  fields: [
    'path',
    'summary',
    'description',
    'aliases',
    'args',
    'flags',
    'endpoints',
    'danger',
    'fields',
    'examples',
  ],
  columns: ['path', { path: 'summary', flexible: true }],
  id: 'path',
});

const commandList = define({
  path: 'commands',
  summary: 'List every command: the whole tree, for tools and scripts.',
  examples: ['hubline commands', 'hubline commands --json'],
  view: commandView,
  async *run(): AsyncGenerator<CommandInfo> {
    // Not at the top: the registry names this file in turn.
    const { nouns } = await import('../registry.ts');
    for (const noun of nouns) yield* (await noun.load()).commands.map(describeCommand);
  },
});

export const commands = [commandList] as const;
