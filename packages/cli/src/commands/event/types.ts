import { samples } from '../../samples/samples.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';

interface EventType {
  readonly type: string;
  readonly sources: readonly string[];
  /** The members of a payload, of the first source. */
  readonly payload: readonly string[];
}

export const command = define({
  path: 'event types',
  summary:
    'List common types of events, who sends them, and what is in them. Works offline; any type can be published.',
  examples: ['hubline event types', 'hubline event types --json=type,payload'],
  view: view<EventType>()({
    noun: ['type', 'types'],
    fields: ['type', 'sources', 'payload'],
    columns: ['type', 'sources', { path: 'payload', flexible: true }],
    id: 'type',
  }),
  async *run(): AsyncGenerator<EventType> {
    for (const type of new Set(samples.map((sample) => sample.type))) {
      const [first, ...others] = samples.filter((sample) => sample.type === type);
      if (!first) continue;
      const sources = [first, ...others].map(({ source }) => source);
      yield { type, sources, payload: Object.keys(await first.load()) };
    }
  },
});
