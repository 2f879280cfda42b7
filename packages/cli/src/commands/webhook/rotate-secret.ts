import { readSecret } from '../../input/read-secret.ts';
import { durationText } from '../../output/time.ts';
import { define } from '../../spec/command.ts';
import { rotatedSecretView } from '../../views/webhook.ts';

export const command = define({
  path: 'webhook rotate-secret',
  summary: 'Replace the signing secret. Without --secret-file, one is made and printed this once.',
  description:
    'X-Service-Signature is made with the new secret from then on. With --overlap, webhook-signature has one signature for each secret during that time, so that receivers can change over one by one.',
  endpoints: ['webhooks.rotateSecret'],
  danger: 'confirm',
  question: ({ args: { webhook }, flags: { overlap } }) =>
    overlap === undefined
      ? `Rotate the secret of ${webhook}? Receivers that know only the old one refuse calls from then on; --overlap avoids that.`
      : `Rotate the secret of ${webhook}? For ${durationText(overlap)} webhook-signature proves both secrets; X-Service-Signature is made with the new one at once.`,
  args: { webhook: { summary: 'Id' } },
  flags: {
    'secret-file': { type: 'text', value: 'file|-', summary: 'New secret, from a file or stdin' },
    overlap: {
      type: 'duration',
      value: 'duration',
      summary: 'Sign with the old one as well for this long, at most 7d',
    },
  },
  examples: [
    'hubline webhook rotate-secret whk_06f8xw2b3c4d5e6f7g8h9j0kmn --overlap 24h',
    'hubline webhook rotate-secret whk_06f8xw2b3c4d5e6f7g8h9j0kmn --secret-file .hook-secret --yes',
  ],
  view: rotatedSecretView,
  say: ({ id, previous_valid_until: until }, style) =>
    `${style.green('✓')} Rotated the secret of ${id}${until ? `; the old one is valid until ${until}` : ''}`,
  async run(ctx, { args, flags: { secretFile, overlap } }) {
    const secret = secretFile === undefined ? undefined : await readSecret(ctx, secretFile, '--secret-file');
    const client = await ctx.client();
    const overlap_seconds = overlap === undefined ? undefined : Math.ceil(overlap / 1_000);
    return client.webhooks.rotateSecret(args.webhook, { secret, overlap_seconds }, ctx.request);
  },
});
