import { LIMITS } from '@hubline/contract/constants';
import type { ListedEvent } from '@hubline/contract/types';
import { usageError } from '../../errors/errors.ts';
import { openCursorFile } from '../../input/cursor-file.ts';
import { define } from '../../spec/command.ts';
import { EXPORT_FLAGS } from '../../spec/global-flags.ts';
import { eventView } from '../../views/event.ts';
import { FILTER_FLAGS } from './filters.ts';

/** A position between two pages. Only the server can read it. */
const PAGE = {
  name: '--cursor-file',
  position: 'the cursor that an export saved',
  isPosition: (text: string) => /^[!-~]+$/.test(text),
};

export const command = define({
  path: 'event export',
  summary: 'Export events as CSV, JSON or one JSON document per line, newest first.',
  description:
    'CSV has no payloads: use json or ndjson for those. With --cursor-file, an interrupted export continues after the last page that was written: append its output to the first part. On SIGINT (Ctrl-C), SIGTERM or SIGHUP it finishes its page first, so that no event is missing or repeated; a second SIGINT or SIGTERM ends it at once. After that, after kill -9, or after an error within a page, up to one page of 100 events may be repeated. The cursor file is emptied when the export is complete.',
  endpoints: ['events.list', 'events.get'],
  export: 'csv',
  flags: {
    ...FILTER_FLAGS,
    until: { type: 'time', value: 'time', summary: 'Only events before this time' },
    'cursor-file': { type: 'text', value: 'file', summary: 'Save the position of the export in this file' },
    ...EXPORT_FLAGS,
  },
  examples: [
    'hubline event export --since 30d --format ndjson --out events.ndjson',
    'hubline event export --format ndjson --cursor-file export.cursor >> events.ndjson',
  ],
  view: eventView,
  typed: { cursor: '--cursor-file' },
  cure: ({ details }, { flags: { cursorFile: file } }) =>
    file !== undefined && details.some(({ field }) => field === 'cursor')
      ? `${file} is from an export with other filters, or of another workspace or server. Repeat that one, or name another file.`
      : undefined,
  // A page and its position belong together.
  drains: ({ flags }) => flags.cursorFile !== undefined,
  async *run(ctx, { flags }): AsyncGenerator<ListedEvent> {
    const { type, source, since, until, cursorFile: file } = flags;
    if (file !== undefined && (flags.out ?? '-') !== '-') {
      throw usageError(
        '--out writes its file only when the export is complete, so there is nothing to continue from.',
        'With --cursor-file, append stdout to a file instead: >> events.ndjson',
      );
    }
    const position = file === undefined ? undefined : await openCursorFile(file, PAGE, ctx.globals);
    let cursor = await position?.read();
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    // The page in progress is finished, large payloads included.
    const request = file === undefined ? ctx.request : { ...ctx.request, signal: undefined };
    for (;;) {
      const query = { type, source, since, until, cursor, limit: LIMITS.pageMax };
      const page = await client.events.list(workspace, query, { signal: ctx.signal });
      for (const event of page.data) {
        // A list leaves large payloads out; an export is complete.
        yield event.payload_omitted ? await client.events.get(workspace, event.event_id, request) : event;
      }
      const { next_cursor: next } = page.pagination;
      // The consumer asks for the next item only when it has written this one.
      await position?.write(next ?? '');
      if (next === null || next === cursor) return;
      ctx.signal.throwIfAborted();
      cursor = next;
    }
  },
});
