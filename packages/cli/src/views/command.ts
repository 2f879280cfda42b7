import type { CommandInfo } from '../spec/describe-command.ts';
import { view } from '../spec/view.ts';

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
