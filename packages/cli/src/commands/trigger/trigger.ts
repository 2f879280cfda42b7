import { setTimeout as sleep } from 'node:timers/promises';
import { refuseSharedKey } from '../../input/shared-key.ts';
import type { Context } from '../../context.ts';
import { untilNoted } from '../../dry-run/steps.ts';
import { CommandError, usageError } from '../../errors/errors.ts';
import type { Outgoing } from '../../forward/envelope.ts';
import { FORWARD_FLAGS, forwardingOf } from '../../forward/flags.ts';
import { forward } from '../../forward/forward.ts';
import { parseTarget, sendTo } from '../../forward/post.ts';
import { assertOneStdin, parseJSON, readJsonObject } from '../../input/read-input.ts';
import { RawText } from '../../output/items.ts';
import { samples } from '../../samples/samples.ts';
import { triggerData } from '../../samples/trigger-data.ts';
import { define } from '../../spec/command.ts';
import { camelCase, type FlagValues, isGiven } from '../../spec/flag.ts';
import { view } from '../../spec/view.ts';
import type { Style } from '../../terminal/io.ts';
import { type ForwardedAttempt, forwardedLine, forwardedView } from '../../views/forwarded.ts';
import { eventDelivery, type SampleEvent, sampleEvent, triggerDelivery } from './samples.ts';
import { setPaths } from './set-path.ts';

/** The result of `hubline trigger`: an event that was published, or an attempt at a delivery. */
type Triggered = Partial<ForwardedAttempt> & Pick<ForwardedAttempt, 'type' | 'event_id'>;

const triggeredView = view<Triggered>()({
  noun: ['event', 'events'],
  fields: forwardedView.fields,
  columns: forwardedView.columns,
  id: 'event_id',
});

/** One line for people. */
function triggeredLine(item: Triggered, style: Style): string {
  if (item.delivery_id === undefined) return `${style.green('✓')} Published ${item.type} (${item.event_id})`;
  return forwardedLine(item as ForwardedAttempt, style);
}

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds between two events at a rate such as `10/s` or `100/m`; 0 without a rate. */
function parseRate(text: string | undefined): number {
  if (text === undefined) return 0;
  const [, count, unit] = /^(\d+(?:\.\d+)?)\/(s|m|h)$/.exec(text) ?? [];
  if (!Number(count))
    throw usageError(`--rate takes a rate, not "${text}".`, 'For example: --rate 10/s, or --rate 100/m');
  return UNIT_MS[unit as keyof typeof UNIT_MS] / Number(count);
}

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
  times: { type: 'integer', value: 'n', min: 1, default: 1, summary: 'Repeat this many times' },
  rate: { type: 'text', value: 'n/s', summary: 'Maximum rate, such as 10/s or 100/m' },
  print: { type: 'boolean', summary: 'Print what would be sent, and send nothing' },
  to: { type: 'text', value: 'url', summary: 'Sign and send a delivery to this address, without a server' },
  ...FORWARD_FLAGS,
} as const;

type Flags = FlagValues<typeof FLAGS>;

const trigger = define({
  path: 'trigger',
  summary:
    'Publish an event with a real sample payload; with --to, send a signed delivery without any server.',
  description:
    'The type is that of an event, such as push, or with --to also another trigger, such as user.invited. With --data it can be anything. See: hubline trigger list',
  endpoints: ['events.publish'],
  live: true,
  args: { type: { summary: 'Event type, or trigger' } },
  flags: FLAGS,
  examples: [
    'hubline trigger push',
    'hubline trigger deploy --data @deploy.json --set payload.version=1.4.0 --times 100 --rate 10/s',
    'hubline trigger automation.completed --set data.status=failed --to http://localhost:3000/hook',
  ],
  typed: { payload: '--data' },
  view: triggeredView,
  say: triggeredLine,
  async *run(ctx, { args: { type }, flags }): AsyncGenerator<Triggered | RawText> {
    assertOneStdin({ '--data': flags.data?.replace(/^@/, ''), '--secret-file': flags.secretFile });
    const payload = flags.data === undefined ? undefined : await readJsonObject(ctx, flags.data, '--data');
    if (flags.to === undefined) refuseForwardFlags(flags);
    const pause = parseRate(flags.rate);
    refuseSharedKey(ctx, flags.times, 'Leave it out, or --times.');
    const isTrigger = Object.hasOwn(triggerData, type);
    const event = isTrigger
      ? undefined
      : await sampleEvent({ type: type === 'event.created' ? 'push' : type, source: flags.source, payload });
    if (flags.to === undefined && !event && !flags.print) {
      throw usageError(
        `${type} is a trigger that only the server makes.`,
        `Send one to your program with --to <url>, or to a webhook: hubline webhook ping <webhook> --trigger ${type}`,
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

/** Refuses flags that are only for `--to`. The speed of retries always has a value. */
function refuseForwardFlags(flags: Readonly<Record<string, unknown>>): void {
  const { 'retry-speed': _, ...table } = FORWARD_FLAGS;
  const given = Object.keys(table).filter((name) => isGiven(flags[camelCase(name)]));
  if (given.length === 0) return;
  throw usageError(
    `${given.map((name) => `--${name}`).join(' and ')} cannot be used without --to.`,
    'Without --to, the server makes the calls.',
  );
}

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
        'The delivery failed.',
        'Check that the program runs and responds with a 2xx.',
      );
  };
}

interface Listed {
  readonly type: string;
  /** The tool that sends it; `null` for the triggers that Hubline makes itself. */
  readonly source: string | null;
  readonly summary: string;
  /** Present only with `--print`. */
  readonly payload?: Readonly<Record<string, unknown>>;
}

const list = define({
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

export const commands = [trigger, list] as const;
