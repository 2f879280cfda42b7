import { EXIT_CODES } from '../../exit-codes.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';

export const command = define({
  path: 'help exit-codes',
  summary: 'List what each exit code says.',
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
