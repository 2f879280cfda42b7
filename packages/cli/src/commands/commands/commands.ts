import { define, type NounEntry } from '../../spec/command.ts';
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

/** Every command of these nouns, as data. */
export async function* describeAll(nouns: readonly NounEntry[]): AsyncGenerator<CommandInfo> {
  for (const noun of nouns) yield* (await noun.load()).commands.map(describeCommand);
}

/** `nouns`: the registry. This file cannot import it, because the registry loads this file. */
export function commandsOf(nouns: readonly NounEntry[]) {
  const commandList = define({
    path: 'commands',
    summary: 'List every command: the whole tree, for tools and scripts.',
    examples: ['hubline commands', 'hubline commands --json'],
    view: commandView,
    run: () => describeAll(nouns),
  });
  return [commandList] as const;
}
