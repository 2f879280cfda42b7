import { durationText } from '../../output/time.ts';
import { define } from '../../spec/command.ts';
import { createdKeyView } from '../../views/key.ts';

export const command = define({
  path: 'key rotate',
  summary: 'Give a key of the workspace a new secret. It is printed this once.',
  description:
    'Without --overlap the old secret stops working at once, and so does every program that still uses it.',
  endpoints: ['apiKeys.rotate'],
  danger: 'confirm',
  question: ({ args: { key }, flags: { overlap } }) =>
    overlap === undefined
      ? `Rotate ${key}? Its old secret stops working at once; --overlap keeps it for a while.`
      : `Rotate ${key}? Its old secret works for another ${durationText(overlap)}.`,
  args: { key: { summary: 'Id' } },
  flags: {
    overlap: {
      type: 'duration',
      value: 'duration',
      summary: 'Let the old secret work for this long, at most 7d',
    },
  },
  examples: [
    'hubline key rotate key_06f8xw2b3c4d5e6f7g8h9j0kmn --overlap 1h',
    'hubline key rotate key_06f8xw2b3c4d5e6f7g8h9j0kmn --overlap 1h --yes --template {{key}}',
  ],
  view: createdKeyView,
  say: ({ id, name }, style) => `${style.green('✓')} Rotated key ${name} (${id}). It is shown only now:`,
  async run(ctx, { args, flags: { overlap } }) {
    const client = await ctx.client();
    const body = { overlap_seconds: overlap === undefined ? undefined : Math.ceil(overlap / 1_000) };
    return client.apiKeys.rotate(await ctx.workspace(), args.key, body, ctx.request);
  },
});
