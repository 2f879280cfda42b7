import { setTimeout as sleep } from 'node:timers/promises';
import { untilNoted } from '../../dry-run/steps.ts';
import { partly } from '../../errors/errors.ts';
import { FORWARD_FLAGS, forwardingOf } from '../../forward/flags.ts';
import { forward } from '../../forward/forward.ts';
import { parseTarget, sendTo } from '../../forward/post.ts';
import { parseRecording } from '../../forward/record-file.ts';
import { assertOneStdin, readText } from '../../input/read-input.ts';
import { define } from '../../spec/command.ts';
import { type ForwardedAttempt, forwardedLine, forwardedView } from '../../views/forwarded.ts';

const replay = define({
  path: 'replay',
  summary: 'Send recorded deliveries again, one after the other, each with a fresh signature.',
  description:
    'Recordings are made with hubline listen --record. Bodies and delivery IDs are those of the recording. Exit code 10 if some were not delivered.',
  live: true,
  args: { file: { summary: 'The recording; - for stdin' } },
  flags: {
    to: {
      type: 'text',
      value: 'url',
      required: true,
      prompt: 'Send them to',
      summary: 'Target: http://localhost:3000/hook, or a port such as 3000',
    },
    speed: {
      type: 'integer',
      value: 'n',
      min: 1,
      summary: 'Keep the pauses of the recording, sped up by this factor (default: no pauses)',
    },
    ...FORWARD_FLAGS,
  },
  examples: [
    'hubline replay events.ndjson --to http://localhost:3000/hook',
    'hubline replay events.ndjson --to http://localhost:3000/hook --speed 10 --secret-file .hook-secret',
  ],
  view: forwardedView,
  say: forwardedLine,
  async *run(ctx, { args: { file }, flags }): AsyncGenerator<ForwardedAttempt> {
    assertOneStdin({ 'the recording': file, '--secret-file': flags.secretFile });
    const send = sendTo(ctx, parseTarget(flags.to, flags.allowRemote));
    const text = await readText(ctx, file, 'The recording');
    const recording = parseRecording(text, file);
    if (recording.length === 0)
      await ctx.note(
        `There is no delivery ${file === '-' ? 'on stdin' : `in ${file}`}, and nothing to send.`,
      );
    const forwarding = await forwardingOf(ctx, flags, { send, retry: 'none' });
    let failed = 0;
    for (const [index, delivery] of recording.entries()) {
      const before = recording[index - 1];
      if (before && flags.speed !== undefined && !ctx.globals.dryRun) {
        const pause = (Date.parse(delivery.time) - Date.parse(before.time)) / flags.speed;
        await sleep(Math.max(0, pause), undefined, { signal: ctx.signal });
      }
      let delivered = ctx.globals.dryRun;
      for await (const attempt of untilNoted(forward(delivery, forwarding))) {
        yield attempt;
        ({ delivered } = attempt);
      }
      if (!delivered) failed += 1;
    }
    if (failed > 0) throw partly(`${failed} of ${recording.length} deliveries failed.`);
  },
});

export const commands = [replay] as const;
