import { TRIGGERS } from '@hubline/contract/constants';
import type { Delivery, DeliveryDetail, WebhookTestEvent } from '@hubline/contract/types';
import type { Hubline } from '@hubline/sdk';
import { pollPause } from '../../client/follow-list.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors/errors.ts';
import { readJsonObject } from '../../input/read-input.ts';
import { duration } from '../../output/time.ts';
import { define } from '../../spec/command.ts';
import { deliveryDetailView } from '../../views/delivery.ts';
import { shellWord } from '../../terminal/shell-word.ts';

/** The pause between two requests for the outcome: short, because somebody is waiting for it. */
const LOOK_EVERY_MS = 200;

export const command = define({
  path: 'webhook ping',
  summary: 'Send a test call, once, and say what came back. Exit code 9 if that is not a 2xx.',
  aliases: ['test'],
  description:
    'Without --event and --type it sends sample data. An event sent this way is not stored, and goes to no other webhook.',
  endpoints: ['webhooks.test', 'deliveries.get', 'events.get'],
  args: { webhook: { summary: 'ID' } },
  flags: {
    trigger: {
      type: 'text',
      value: 'trigger',
      choices: TRIGGERS,
      summary: 'Trigger to simulate (server default: event.created)',
    },
    event: { type: 'text', value: 'id', summary: 'Send this event again, to this webhook only' },
    type: { type: 'text', value: 'type', summary: 'Send an event of this type, or change that of --event' },
    source: { type: 'text', value: 'name', summary: 'Source of the event' },
    payload: { type: 'text', value: 'json|@file|-', summary: 'Payload of the event' },
    within: {
      type: 'duration',
      value: 'duration',
      default: '40s',
      summary: 'Wait at most this long for the outcome; a webhook has 30s to respond',
    },
  },
  examples: [
    'hubline webhook ping whk_06f8xw2b3c4d5e6f7g8h9j0kmn',
    `hubline webhook ping whk_06f8xw2b3c4d5e6f7g8h9j0kmn --type deploy --payload '{"version":"1.4.0"}'`,
    'hubline webhook ping whk_06f8xw2b3c4d5e6f7g8h9j0kmn --trigger user.invited --json=status,attempts',
  ],
  typed: {
    event_type: '--trigger',
    'event.type': '--type',
    'event.source': '--source',
    'event.payload': '--payload',
  },
  view: deliveryDetailView,
  say: (delivery, style) =>
    `${delivery.status === 'delivered' ? style.green('✓') : style.red('✗')} ${verdict(delivery)} (delivery ${delivery.id})`,
  refusal: (delivery) =>
    delivery.status === 'delivered'
      ? undefined
      : {
          message: `${verdict(delivery)}.`,
          hint: `See: hubline delivery attempts ${shellWord(delivery.id)}`,
        },
  async run(ctx, { args, flags: { trigger, within, event: id, type, source, payload } }) {
    const client = await ctx.client();
    const event = await eventToSend(ctx, { event: id, type, source, payload });
    const sent = await client.webhooks.test(args.webhook, { event_type: trigger, event }, ctx.request);
    return settled(ctx, client, { sent, within });
  },
});

type EventFlags = Record<'event' | 'type' | 'source' | 'payload', string | undefined>;

/** A stored event, an event from the flags, or a stored one changed by the flags; `undefined` for sample data. */
async function eventToSend(ctx: Context, flags: EventFlags): Promise<WebhookTestEvent | undefined> {
  const { source, payload } = flags;
  if (Object.values(flags).every((flag) => flag === undefined)) return undefined;
  if (flags.event === undefined && flags.type === undefined)
    throw usageError('An event needs a type.', 'Give --type, or --event for a stored one.');
  const stored =
    flags.event === undefined
      ? undefined
      : await (await ctx.client()).events.get(await ctx.workspace(), flags.event, ctx.request);
  return {
    type: flags.type ?? stored?.type ?? '',
    source: source ?? stored?.source,
    payload:
      payload === undefined ? (stored?.payload ?? {}) : await readJsonObject(ctx, payload, '--payload'),
    integration_id: stored?.integration_id ?? undefined,
  };
}

/** The delivery once its attempt is over, or as it is when the time is up. */
async function settled(
  { now, signal }: Context,
  client: Hubline,
  { sent, within }: { sent: Delivery; within: number },
): Promise<DeliveryDetail> {
  const end = now() + within;
  const pause = pollPause(signal, LOOK_EVERY_MS);
  for (;;) {
    const delivery = await client.deliveries.get(sent.id, { signal });
    if (delivery.completed_at !== null || now() >= end) return delivery;
    await pause(true, end - now());
  }
}

/** `The receiver accepted the test call push: it responded with 204 in 12 ms`. */
function verdict({ attempts, completed_at, event_type, status }: DeliveryDetail): string {
  const last = attempts.at(-1);
  if (last) {
    const did = status === 'delivered' ? 'accepted' : 'did not accept';
    return `The receiver ${did} the test call ${event_type}: ${outcome(last)}`;
  }
  return completed_at === null
    ? `The test call ${event_type} has no outcome yet: the delivery is still ${status}`
    : `The test call ${event_type} was not made: the delivery is ${status}`;
}

/** `it responded with 400 in 12 ms`. */
function outcome({ duration_ms, error, response_status }: DeliveryDetail['attempts'][number]): string {
  const took = duration(duration_ms);
  if (response_status !== null) return `it responded with ${response_status} in ${took}`;
  return `no response after ${took}: ${error?.message ?? 'for no known reason'}`;
}
