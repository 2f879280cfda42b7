import { RawText } from '../../output/raw-text.ts';
import { samples } from '../../samples/samples.ts';
import { triggerData } from '../../samples/trigger-data.ts';
import { usageError } from '../../errors.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';

interface Listed {
  readonly type: string;
  /** Who sends it; `null` for the triggers that Hubline makes itself. */
  readonly source: string | null;
  readonly summary: string;
  /** Only with `--print`. */
  readonly payload?: Readonly<Record<string, unknown>>;
}

export const command = define({
  path: 'trigger list',
  summary: 'List what can be triggered, with --print also the payloads. Works offline.',
  aliases: ['ls'],
  args: { type: { summary: 'Only this type', optional: true } },
  flags: {
    source: { type: 'text', value: 'source', summary: 'Only from this source' },
    print: { type: 'boolean', summary: 'Print the sample payloads' },
  },
  examples: [
    'hubline trigger list',
    'hubline trigger list push --source github --print',
    'hubline trigger list --print --json=type,source,payload',
  ],
  view: view<Listed>()({
    noun: ['sample', 'samples'],
    fields: ['type', 'source', 'summary', 'payload'],
    columns: ['type', 'source', { path: 'summary', flexible: true }],
    id: 'type',
  }),
  async *run(ctx, { args: { type }, flags: { source, print } }): AsyncGenerator<Listed | RawText> {
    const wanted = (each: { type: string; source: string | null }): boolean =>
      (type ?? each.type) === each.type && (source ?? each.source) === each.source;
    const own = Object.entries(triggerData).map(([name, load]) => ({
      type: name,
      source: null,
      summary: 'A trigger of Hubline itself; only with --to',
      load: async () => load(),
    }));
    const found = [...samples, ...own].filter(wanted);
    if (found.length === 0) throw usageError('There is no such sample.', 'See: hubline trigger list');
    for (const { load, ...sample } of found) {
      if (!print) yield sample;
      else if (ctx.machine) yield { ...sample, payload: await load() };
      else yield new RawText(`${JSON.stringify(await load(), null, 2)}\n`);
    }
  },
});
