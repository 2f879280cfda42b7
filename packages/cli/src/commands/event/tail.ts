import { cursorFile } from '../../input/cursor-file.ts';
import { define } from '../../spec/command.ts';
import { eventView } from '../../views/event.ts';
import { FILTER_FLAGS } from './filters.ts';

export const command = define({
  path: 'event tail',
  summary: 'Follow events as they come, until Ctrl-C. It reconnects by itself and misses nothing.',
  endpoints: ['events.stream'],
  live: true,
  flags: {
    ...FILTER_FLAGS,
    'resume-file': {
      type: 'text',
      value: 'file',
      summary: 'Remember the last event here, and go on after it',
    },
    limit: { type: 'integer', short: 'L', value: 'n', summary: 'Stop after this many' },
  },
  examples: [
    'hubline event tail --source github',
    'hubline event tail --since 10m --json=type,summary | jq -r .type',
  ],
  view: eventView,
  async *run(ctx, { flags: { type, source, since, limit, resumeFile } }) {
    if (limit === 0) return;
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    const position = resumeFile === undefined ? undefined : cursorFile(resumeFile, ctx.globals);
    const lastEventId = await position?.read();
    const options = { signal: ctx.signal, lastEventId };
    let count = 0;
    for await (const event of client.events.stream(workspace, { type, source, since }, options)) {
      yield event;
      // Whoever asks for the next item has written this one.
      await position?.write(event.event_id);
      if ((count += 1) === limit) return;
    }
  },
});
