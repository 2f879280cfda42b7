import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors/errors.ts';
import type { Outgoing } from '../../forward/envelope.ts';
import { FORWARD_FLAGS, forwardingOf, secretOf } from '../../forward/flags.ts';
import type { Send } from '../../forward/forward.ts';
import { outgoingEvents } from '../../forward/outgoing-events.ts';
import { parseTarget, postTo } from '../../forward/post.ts';
import { type OutgoingEvent, pump } from '../../forward/pump.ts';
import { openRecorder } from '../../forward/record-file.ts';
import { runCommand } from '../../forward/run-command.ts';
import { AFTER_EVENT, openCursorFile } from '../../input/cursor-file.ts';
import { RawText } from '../../output/items.ts';
import { compileJq, type JqProgram } from '../../output/formats/text-format.ts';
import { define } from '../../spec/command.ts';
import { type ForwardedAttempt, forwardedLine, forwardedView } from '../../views/forwarded.ts';

const listen = define({
  path: 'listen',
  summary: 'Forward events to a program on this machine, signed as the server signs its calls, until Ctrl-C.',
  description:
    'Needs no webhook and no public address. It reconnects automatically, even after a restart of the server, and misses nothing. The stream carries event.created; for the other triggers see hubline trigger. The command of --exec runs in a shell; several can run at once. After 30 seconds, or when listen ends, everything that it started gets SIGTERM, and SIGKILL two seconds later; on Windows it is ended at once. Exit code 0 means delivered. The command gets the headers in variables, such as HUBLINE_HEADER_WEBHOOK_ID, and its output goes to stderr.',
  endpoints: ['events.stream'],
  live: true,
  noDryRun: 'It changes nothing on the server. To see events without forwarding them: hubline event tail',
  args: {
    url: {
      summary: 'Target: http://localhost:3000/hook, or a port such as 3000',
      optional: true,
    },
  },
  flags: {
    type: { type: 'text', value: 'type', summary: 'Only events of this type, such as push' },
    source: { type: 'text', value: 'source', summary: 'Only events from this source, such as github' },
    filter: {
      type: 'text',
      value: 'jq',
      summary: 'Only deliveries whose body passes this jq program, such as .data.payload.ref',
    },
    since: {
      type: 'time',
      value: 'time',
      summary: 'Start with events after this time, or within this duration: 10m',
    },
    resume: { type: 'boolean', summary: 'Continue after the last event that was handled here' },
    limit: { type: 'integer', short: 'L', value: 'n', min: 1, summary: 'Stop after this many events' },
    ...FORWARD_FLAGS,
    exec: {
      type: 'text',
      value: 'command',
      summary: 'Run this command for each delivery, with the body on stdin',
    },
    record: { type: 'text', value: 'file', summary: 'Append each delivery to this file, for hubline replay' },
    'on-fail': {
      type: 'text',
      value: 'what',
      choices: ['continue', 'exit'],
      default: 'continue',
      summary: 'Action after the last failed attempt',
    },
    'print-secret': { type: 'boolean', summary: 'Print the signing secret and exit' },
  },
  examples: [
    'hubline listen http://localhost:3000/hook',
    'hubline listen 3000',
    'hubline listen http://localhost:3000/hook --type push --since 10m --retry-speed 10',
    "hubline listen --exec 'jq .data.payload' --record events.ndjson",
    'hubline listen --print-secret > .hook-secret',
  ],
  // A command of --exec takes a moment to end.
  drains: ({ flags }) => flags.exec !== undefined,
  view: forwardedView,
  say: forwardedLine,
  async *run(ctx, { args: { url }, flags }): AsyncGenerator<ForwardedAttempt | RawText> {
    if (flags.printSecret) {
      const secret = await secretOf(ctx, flags);
      yield new RawText(`${ctx.machine && !ctx.globals.quiet ? JSON.stringify({ secret }) : secret}\n`);
      return;
    }
    const sends = targets(ctx, url, flags);
    const [send] = sends;
    if (!send || sends.length > 1) {
      throw usageError(
        'Give either a URL or --exec.',
        'For example: hubline listen http://localhost:3000/hook',
      );
    }
    const forwarding = await forwardingOf(ctx, flags, { send, retry: 'spec' });
    const wanted = flags.filter === undefined ? undefined : await compileJq(flags.filter, '--filter');
    const record =
      flags.record === undefined ? undefined : await openRecorder(flags.record, ctx.now, ctx.globals);
    const cursor = await openCursorFile(
      join(ctx.configDirectory(), `listen-${await ctx.workspace()}`),
      { name: 'The saved position', ...AFTER_EVENT },
      ctx.globals,
    );
    const lastEventId = flags.resume ? await cursor.read() : undefined;
    const { type, source, since } = flags;
    await sayMode(ctx, { ...flags, url });
    // A separate signal: attempts that are still waiting end with the command, however it ends.
    const stop = new AbortController();
    const signal = AbortSignal.any([ctx.signal, stop.signal]);
    const events = outgoingEvents(ctx, { type, source, since }, { signal, lastEventId });
    try {
      yield* pump(chosen(events, { wanted, record, limit: flags.limit }), {
        forwarding: { ...forwarding, signal },
        handled: (id) => cursor.write(id),
        exitOnFail: flags.onFail === 'exit',
      });
    } finally {
      stop.abort();
    }
  },
});

interface Given {
  readonly exec: string | undefined;
  readonly allowRemote: boolean;
}

function targets(ctx: Context, url: string | undefined, { exec, allowRemote }: Given): Send[] {
  return [
    ...(url === undefined ? [] : [postTo(parseTarget(url, allowRemote))]),
    ...(exec === undefined ? [] : [runCommand(exec, ctx)]),
  ];
}

async function sayMode(
  ctx: Context,
  {
    url,
    exec,
    secretFile,
  }: { url: string | undefined; exec: string | undefined; secretFile: string | undefined },
): Promise<void> {
  const { baseUrl } = await ctx.settings();
  const to = url === undefined ? `"${exec}"` : parseTarget(url, true).href;
  const secret = secretFile ?? 'the secret that hubline listen --print-secret shows';
  await ctx.note(`Forwarding events of ${baseUrl.value} to ${to}, signed with ${secret}. Ctrl-C stops.`);
  await ctx.note('Publish a test event: hubline trigger push');
}

interface Choice {
  readonly wanted: JqProgram | undefined;
  readonly record: ((outgoing: Outgoing) => Promise<void>) | undefined;
  readonly limit: number | undefined;
}

/** The events that pass the filter, recorded, up to a limit. */
async function* chosen(
  events: AsyncIterable<OutgoingEvent>,
  { wanted, record, limit = Infinity }: Choice,
): AsyncGenerator<OutgoingEvent> {
  let count = 0;
  for await (const event of events) {
    if (wanted && /^(?:|false|null)$/.test(wanted(event.body).trim())) continue;
    await record?.(event);
    yield event;
    count += 1;
    if (count >= limit) return;
  }
}

export const commands = [listen] as const;
