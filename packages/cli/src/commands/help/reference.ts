import { define } from '../../spec/command.ts';
import { type CommandInfo, describeCommand } from '../../spec/describe-command.ts';
import { commandView } from '../../views/command.ts';

export const command = define({
  path: 'help reference',
  summary: 'List every command in one go: the same as hubline commands.',
  examples: ['hubline help reference'],
  view: commandView,
  async *run(): AsyncGenerator<CommandInfo> {
    // Not at the top: the registry names this file in turn.
    const { nouns } = await import('../registry.ts');
    for (const noun of nouns) yield* (await noun.load()).commands.map(describeCommand);
  },
});
