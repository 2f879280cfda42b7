import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { untilNoted } from '../../dry-run/steps.ts';
import { CommandError, usageError } from '../../errors.ts';
import { FORWARD_FLAGS, forwardingOf } from '../../forward/flags.ts';
import { forward } from '../../forward/forward.ts';
import type { Outgoing } from '../../forward/envelope.ts';
import { sendTo } from '../../forward/send-to.ts';
import { parseTarget } from '../../forward/target.ts';
import { parseJSON } from '../../input/parse-json.ts';
import { parseRate } from '../../input/parse-rate.ts';
import { readJsonObject } from '../../input/read-json.ts';
import { setPaths } from '../../input/set-path.ts';
import { RawText } from '../../output/raw-text.ts';
import { triggerData } from '../../samples/trigger-data.ts';
import { define } from '../../spec/command.ts';
import type { FlagValues } from '../../spec/flag.ts';
import { type Triggered, triggeredLine, triggeredView } from '../../views/triggered.ts';
import { eventDelivery, triggerDelivery } from './sample-delivery.ts';
import { type SampleEvent, sampleEvent } from './sample-event.ts';

const FLAGS = {
  data: { type: 'text', value: 'json|@file|-', summary: 'The payload, instead of the sample' },
  source: { type: 'text', value: 'source', summary: 'Sample of this source, such as gitlab' },
  set: {
    type: 'text',
    value: 'path=value',
    repeatable: true,
    summary:
      'Change a field of the event, such as payload.ref=main; with --to, of the envelope: data.role=admin',
  },
  times: { type: 'integer', value: 'n', default: 1, summary: 'Do it this often' },
  rate: { type: 'text', value: 'n/s', summary: 'At most this often, such as 10/s or 100/m' },
  print: { type: 'boolean', summary: 'Print what would be sent, and send nothing' },
  to: { type: 'text', value: 'url', summary: 'Sign and send a delivery to this address, without a server' },
  ...FORWARD_FLAGS,
} as const;

type Flags = FlagValues<typeof FLAGS>;

export const command = define({
  path: 'trigger',
  summary:
    'Publish an event with a real sample payload; with --to, send a signed delivery without any server.',
  description:
    'The type is that of an event, such as push, or with --to also another trigger, such as user.invited. With --data it can be anything. See: hubline trigger list',
  endpoints: ['events.publish'],
  live: true,
  args: { type: { summary: 'Type of event, or trigger' } },
  flags: FLAGS,
  examples: [
    'hubline trigger push',
    'hubline trigger deploy --data @deploy.json --set payload.version=1.4.0 --times 100 --rate 10/s',
    'hubline trigger automation.completed --set data.status=failed --to http://localhost:3000/hook',
  ],
  view: triggeredView,
  say: triggeredLine,
  async *run(ctx, { args: { type }, flags }): AsyncGenerator<Triggered | RawText> {
    const payload = flags.data === undefined ? undefined : await readJsonObject(ctx, flags.data, '--data');
    const pause = parseRate(flags.rate);
    if (flags.times > 1 && ctx.globals.idempotencyKey !== undefined) {
      throw usageError('--idempotency-key names one write, not several.', 'Leave it out, or --times.');
    }
    const isTrigger = Object.hasOwn(triggerData, type);
    const event = isTrigger
      ? undefined
      : await sampleEvent({ type: type === 'event.created' ? 'push' : type, source: flags.source, payload });
    if (flags.to === undefined && !event && !flags.print) {
      throw usageError(
        `The server makes ${type} by itself.`,
        'Send one to your program with --to <url>, or test a webhook: hubline webhook ping --trigger',
      );
    }
    const deliver = (): Outgoing => {
      const changes = { set: flags.set, now: ctx.now() };
      return event ? eventDelivery(event, changes) : triggerDelivery(type, payload, changes);
    };
    if (flags.print) {
      const document =
        flags.to !== undefined || !event ? parseJSON(deliver().body) : changedEvent(event, flags);
      yield new RawText(`${JSON.stringify(document, null, ctx.io.stdout.isTTY ? 2 : undefined)}\n`);
      return;
    }
    const act =
      flags.to === undefined && event ? publisher(ctx, event, flags) : await sender(ctx, deliver, flags);
    for (let count = 0; count < flags.times; count += 1) {
      if (count > 0 && pause > 0 && !ctx.globals.dryRun)
        await sleep(pause, undefined, { signal: ctx.signal });
      yield* untilNoted(act());
    }
  },
});

/** The event with `--set` applied. */
function changedEvent({ type, source, payload }: SampleEvent, { set }: Flags): SampleEvent {
  return setPaths({ type, source, payload }, set) as unknown as SampleEvent;
}

/** Publishes the event through the server, which delivers it to webhooks. */
function publisher(ctx: Context, event: SampleEvent, flags: Flags): () => AsyncGenerator<Triggered> {
  const { type, source, payload } = changedEvent(event, flags);
  return async function* () {
    const client = await ctx.client();
    const body = { type, source, payload: { ...payload } };
    const { event_id } = await client.events.publish(await ctx.workspace(), body, ctx.request);
    yield { type, event_id };
  };
}

/** Sends a delivery to `--to`. */
async function sender(
  ctx: Context,
  deliver: () => Outgoing,
  flags: Flags,
): Promise<() => AsyncGenerator<Triggered>> {
  const send = sendTo(ctx, parseTarget(flags.to ?? '', flags.allowRemote));
  const forwarding = await forwardingOf(ctx, flags, { send, retry: 'none' });
  return async function* () {
    let delivered = false;
    for await (const attempt of forward(deliver(), forwarding)) {
      yield attempt;
      ({ delivered } = attempt);
    }
    if (!delivered)
      throw new CommandError(
        'check_failed',
        'It was not delivered.',
        'Check that the program runs and answers with a 2xx.',
      );
  };
}
