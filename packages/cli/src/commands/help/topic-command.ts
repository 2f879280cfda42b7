import { RawText } from '../../output/raw-text.ts';
import { type Command, define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import type { Topic } from './topics.ts';

const topicView = view<Topic>()({
  noun: ['topic', 'topics'],
  fields: ['name', 'title', 'text'],
  columns: ['name', 'title'],
  id: 'name',
});

/** `hubline help <topic>`. */
export function topicCommand(topic: Topic): Command {
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
