import { usageError } from '../../errors.ts';
import { readJsonObject } from '../../input/read-json.ts';
import { readEvents } from '../../input/read-events.ts';
import { define } from '../../spec/command.ts';
import { type PublishedEvent, publishedEventView } from '../../views/event.ts';

export const command = define({
  path: 'event publish',
  summary: 'Publish an event, or with --batch up to 1,000 of them: all are stored, or none.',
  endpoints: ['events.publish', 'events.publishBatch'],
  flags: {
    type: { type: 'text', value: 'type', summary: 'Category, such as deploy' },
    payload: { type: 'text', value: 'json|@file|-', default: '{}', summary: 'The data, stored untouched' },
    source: { type: 'text', value: 'name', summary: 'Who produced it (server default: api)' },
    integration: { type: 'text', value: 'id', summary: 'Integration on whose behalf it is published' },
    'occurred-at': { type: 'time', value: 'time', summary: 'When it happened (default: now)' },
    batch: { type: 'text', value: 'file|-', summary: 'Events as a JSON array, or one JSON object per line' },
  },
  examples: [
    `hubline event publish --type deploy --payload '{"version":"1.4.0"}'`,
    'hubline event publish --batch events.ndjson --json',
  ],
  view: publishedEventView,
  say: ({ event_id }, style) => `${style.green('✓')} Published ${event_id}`,
  async run(ctx, { flags }) {
    const { type, batch, source, integration, occurredAt } = flags;
    if ((type === undefined) === (batch === undefined)) {
      throw usageError(
        'Give either --type for one event, or --batch for many.',
        'See: hubline event publish --help',
      );
    }
    if (batch !== undefined) {
      const events = await readEvents(ctx, batch);
      const client = await ctx.client();
      const { data } = await client.events.publishBatch(await ctx.workspace(), { events }, ctx.request);
      return (async function* (): AsyncGenerator<PublishedEvent> {
        yield* data;
      })();
    }
    const payload = await readJsonObject(ctx, flags.payload, '--payload');
    const client = await ctx.client();
    const event = { type: type ?? '', source, payload, integration_id: integration, occurred_at: occurredAt };
    return client.events.publish(await ctx.workspace(), event, ctx.request);
  },
});
