import { define } from '../../spec/command.ts';
import { type CommandInfo, describeCommand } from '../../spec/describe-command.ts';
import { commandView } from '../../views/command.ts';

export const command = define({
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
