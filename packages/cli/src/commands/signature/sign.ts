import { readPayload } from '../../input/read-payload.ts';
import { assertOneStdin } from '../../input/read-input.ts';
import { readSecret } from '../../input/read-secret.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';

export const command = define({
  path: 'signature sign',
  summary: 'Sign a body as Hubline signs its calls: the value of X-Service-Signature.',
  args: { payload: { summary: 'File with the raw body; - or nothing for stdin', optional: true } },
  flags: {
    'secret-file': { type: 'text', value: 'file|-', required: true, summary: 'The secret of the webhook' },
  },
  examples: [
    'hubline signature sign body.json --secret-file .hook-secret',
    'printf %s "$BODY" | hubline signature sign --secret-file .hook-secret',
  ],
  view: view<{ signature: string }>()({
    noun: ['signature', 'signatures'],
    fields: ['signature'],
    columns: ['signature'],
    id: 'signature',
  }),
  say: ({ signature }) => signature,
  async run(ctx, { args, flags: { secretFile } }) {
    assertOneStdin({ 'the payload': args.payload ?? '-', '--secret-file': secretFile });
    const { sign } = await import('@hubline/webhooks');
    const secret = await readSecret(ctx, secretFile, '--secret-file');
    return { signature: await sign(await readPayload(ctx, args.payload), secret) };
  },
});
