import { DELIVERY_STATUSES, LIMITS } from '@hubline/contract/constants';
import type { ListedEvent } from '@hubline/contract/types';
import { eachId, paged } from '../../client/lists.ts';
import { usageError } from '../../errors/errors.ts';
import { AFTER_EVENT, openCursorFile } from '../../input/cursor-file.ts';
import { readJsonObject } from '../../input/read-input.ts';
import { samples } from '../../samples/samples.ts';
import { define } from '../../spec/command.ts';
import { LIST_FLAGS } from '../../spec/global-flags.ts';
import { view } from '../../spec/view.ts';
import { eventView, type PublishedEvent, publishedEventView } from '../../views/event.ts';
import { command as exportEvents } from './export.ts';
import { FILTER_FLAGS } from './filters.ts';
import { readEvents } from './read-events.ts';

const list = define({
  path: 'event list',
  summary: 'List events, newest first.',
  aliases: ['ls'],
  endpoints: ['events.list', 'events.listAll'],
  list: true,
  flags: {
    ...FILTER_FLAGS,
    until: { type: 'time', value: 'time', summary: 'Only events before this time' },
    integration: { type: 'text', value: 'id', summary: 'Only events of this integration' },
    'delivery-status': {
      type: 'text',
      value: 'status',
      choices: DELIVERY_STATUSES,
      summary: 'Only events with a delivery of this status',
    },
    search: {
      type: 'text',
      value: 'words',
      summary: 'Only events that contain every word, payload:text, or payload.path=value',
    },
    omit: { type: 'text', value: 'what', choices: ['payload'], summary: 'payload: leave the payloads out' },
    include: {
      type: 'text',
      value: 'what',
      choices: ['deliveries'],
      summary: 'deliveries: add the number of deliveries with each status',
    },
    'all-workspaces': { type: 'boolean', summary: 'Events of every workspace that the key can see' },
    ...LIST_FLAGS,
  },
  examples: [
    'hubline event list --type push --since 2h',
    'hubline event list --delivery-status failed --include deliveries --json',
    "hubline event list --search 'deploy payload.environment=production'",
    'hubline event list --search payload:ana@example.com --since 7d',
    'hubline event list --all --ndjson | jq -r .source | sort | uniq -c',
  ],
  typed: { q: '--search' },
  view: eventView,
  async run(ctx, { flags }) {
    const { type, source, since, until, integration, deliveryStatus, include, search, omit } = flags;
    const filters = {
      type,
      source,
      since,
      until,
      include,
      omit,
      q: search,
      integration_id: integration,
      delivery_status: deliveryStatus,
    };
    const client = await ctx.client();
    if (flags.allWorkspaces) {
      return paged(ctx, flags, (query) => client.events.listAll({ ...filters, ...query }, ctx.request));
    }
    const workspace = await ctx.workspace();
    return paged(ctx, flags, (query) => client.events.list(workspace, { ...filters, ...query }, ctx.request));
  },
});

const get = define({
  path: 'event get',
  summary: 'Show events with their payloads.',
  aliases: ['view', 'show'],
  endpoints: ['events.get'],
  args: { event: { summary: 'IDs; - reads them from stdin', variadic: true, ids: true } },
  examples: [
    'hubline event get evt_06f8xw2b3c4d5e6f7g8h9j0kmn',
    'hubline event list --all -q | hubline event get - --json=payload',
  ],
  view: eventView,
  async run(ctx, { args }) {
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    return eachId<ListedEvent>(ctx, args.event, (id) => client.events.get(workspace, id, ctx.request));
  },
});

interface EventType {
  readonly type: string;
  readonly sources: readonly string[];
  /** The fields of the payload that the first source sends. */
  readonly payload: readonly string[];
}

const types = define({
  path: 'event types',
  summary:
    'List common types of events, their senders and their contents. Works offline; any type can be published.',
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

const tail = define({
  path: 'event tail',
  summary: 'Follow events as they come, until Ctrl-C. It reconnects automatically and misses nothing.',
  endpoints: ['events.stream'],
  live: true,
  flags: {
    ...FILTER_FLAGS,
    'resume-file': {
      type: 'text',
      value: 'file',
      summary: 'Save the last event in this file, and continue after it',
    },
    limit: { type: 'integer', short: 'L', value: 'n', min: 1, summary: 'Stop after this many' },
    omit: { type: 'text', value: 'what', choices: ['payload'], summary: 'payload: leave the payloads out' },
  },
  examples: [
    'hubline event tail --source github',
    'hubline event tail --since 10m --json=type,summary | jq -r .type',
  ],
  view: eventView,
  async *run(ctx, { flags: { type, source, since, omit, limit, resumeFile } }) {
    const position =
      resumeFile === undefined
        ? undefined
        : await openCursorFile(resumeFile, { name: '--resume-file', ...AFTER_EVENT }, ctx.globals);
    const lastEventId = await position?.read();
    const client = await ctx.client();
    const workspace = await ctx.workspace();
    const options = { signal: ctx.signal, lastEventId };
    let count = 0;
    for await (const event of client.events.stream(workspace, { type, source, since, omit }, options)) {
      yield event;
      // The consumer asks for the next item only when it has written this one.
      await position?.write(event.event_id);
      if ((count += 1) === limit) return;
    }
  },
});

const publish = define({
  path: 'event publish',
  summary: `Publish an event, or with --batch up to ${LIMITS.batchMax.toLocaleString('en-US')} of them: all are stored, or none.`,
  endpoints: ['events.publish', 'events.publishBatch'],
  flags: {
    type: { type: 'text', value: 'type', summary: 'Event type, such as deploy' },
    payload: {
      type: 'text',
      value: 'json|@file|-',
      summary: 'The data, stored unchanged (default: {})',
    },
    source: { type: 'text', value: 'name', summary: 'Name of the producer (server default: api)' },
    integration: { type: 'text', value: 'id', summary: 'Integration on whose behalf it is published' },
    'occurred-at': { type: 'time', value: 'time', summary: 'Time of the event (default: now)' },
    batch: { type: 'text', value: 'file|-', summary: 'Events as a JSON array, or one JSON object per line' },
  },
  examples: [
    `hubline event publish --type deploy --payload '{"version":"1.4.0"}'`,
    'hubline event publish --batch events.ndjson --json',
  ],
  view: publishedEventView,
  say: ({ event_id }, style) => `${style.green('✓')} Published ${event_id}`,
  async run(ctx, { flags }) {
    const { type, batch, payload, source, integration, occurredAt } = flags;
    if ((type === undefined) === (batch === undefined)) {
      throw usageError(
        'Give either --type for one event, or --batch for many.',
        'See: hubline event publish --help',
      );
    }
    if (batch !== undefined) {
      const ofOne = {
        '--payload': payload,
        '--source': source,
        '--integration': integration,
        '--occurred-at': occurredAt,
      };
      const ignored = Object.keys(ofOne).filter((name) => ofOne[name as keyof typeof ofOne] !== undefined);
      if (ignored.length > 0)
        throw usageError(
          `${ignored.join(' and ')} cannot be combined with --batch.`,
          'Put the values into the events of the batch.',
        );
      const events = await readEvents(ctx, batch);
      const client = await ctx.client();
      const { data } = await client.events.publishBatch(await ctx.workspace(), { events }, ctx.request);
      return (async function* (): AsyncGenerator<PublishedEvent> {
        yield* data;
      })();
    }
    const body = {
      type: type ?? '',
      source,
      payload: await readJsonObject(ctx, payload ?? '{}', '--payload'),
      integration_id: integration,
      occurred_at: occurredAt,
    };
    const client = await ctx.client();
    return client.events.publish(await ctx.workspace(), body, ctx.request);
  },
});

export const commands = [list, get, publish, tail, exportEvents, types] as const;
