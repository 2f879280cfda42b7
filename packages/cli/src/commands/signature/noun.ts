import { DELIVERY_HEADERS } from '@hubline/contract/constants';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors/errors.ts';
import { assertOneStdin, readInput, readSecret } from '../../input/read-input.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';

/** Headers as `Name: value`. A value alone is a signature; its form shows the scheme. */
function parseSignatureHeaders(given: readonly string[]): [name: string, value: string][] {
  return given.map((text) => {
    const [, name, value = ''] = /^([\w-]+):\s*(.*)$/s.exec(text) ?? [];
    if (name !== undefined) return [name.toLowerCase(), value];
    return [text.startsWith('v1,') ? 'webhook-signature' : SERVICE_SIGNATURE, text];
  });
}

const SERVICE_SIGNATURE = DELIVERY_HEADERS.signature.toLowerCase();
const isStandard = (name: string) => name.startsWith('webhook-');

/** The raw bytes of a body. At a terminal, waiting for it to be typed would look like a hang. */
async function readPayload(ctx: Context, file: string | undefined): Promise<Buffer> {
  if (file === undefined && ctx.io.stdin.isTTY) {
    throw usageError('There is no payload.', 'Name a file, or pipe the body in.');
  }
  return readInput(ctx, file ?? '-', 'The payload');
}

const sign = define({
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

interface Verdict {
  readonly valid: boolean;
  /** The reason why not, for programs: `mismatch`, `malformed_signature`, … */
  readonly reason: string | null;
  readonly message: string;
}

const BODY_HINT = 'Verify the raw bytes of the body, with the secret of the webhook that sent it.';
const HEADER_HINT =
  'Give -H "X-Service-Signature: …", or all of webhook-id, webhook-timestamp and webhook-signature, each as its own -H "Name: value".';
const HINTS: Readonly<Record<string, string>> = {
  missing_signature: HEADER_HINT,
  malformed_signature: HEADER_HINT,
};

/** Problems that can only be found in a body that is authentic. */
const BEHIND_THE_SIGNATURE: readonly string[] = ['invalid_json', 'invalid_envelope'];

const verify = define({
  path: 'signature verify',
  summary: 'Check the signature of a call. Exit code 9, and the reason, if it is not genuine.',
  description:
    'Checks the headers that you give: X-Service-Signature, or the three of Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature), or all four.',
  args: { payload: { summary: 'File with the raw body; - or nothing for stdin', optional: true } },
  flags: {
    'secret-file': { type: 'text', value: 'file|-', required: true, summary: 'The secret of the webhook' },
    header: {
      type: 'text',
      short: 'H',
      value: 'header',
      repeatable: true,
      required: true,
      summary: 'The signature, or whole headers as "Name: value"',
    },
    tolerance: {
      type: 'duration',
      value: 'duration',
      summary: 'Refuse a webhook-timestamp that is further from now than this (default: accept any)',
    },
  },
  examples: [
    'hubline signature verify body.json --secret-file .hook-secret --header "$SIGNATURE"',
    'hubline signature verify body.json --secret-file .hook-secret -H "X-Service-Signature: $SIGNATURE"',
    'hubline signature verify body.json --secret-file .hook-secret -H "webhook-id: $ID" -H "webhook-timestamp: $TIMESTAMP" -H "webhook-signature: $SIGNATURE"',
  ],
  view: view<Verdict>()({
    noun: ['verdict', 'verdicts'],
    fields: ['valid', 'reason', 'message'],
    columns: ['valid', 'reason', { path: 'message', flexible: true }],
    id: 'valid',
  }),
  say: ({ valid, message }, style) => `${valid ? style.green('✓') : style.red('✗')} ${message}`,
  refusal: ({ valid, reason, message }) =>
    valid ? undefined : { message, hint: HINTS[reason ?? ''] ?? BODY_HINT },
  async run(ctx, { args, flags }): Promise<Verdict> {
    assertOneStdin({ 'the payload': args.payload ?? '-', '--secret-file': flags.secretFile });
    const { unwrap, sign, isWebhookVerificationError } = await import('@hubline/webhooks');
    const headers = parseSignatureHeaders(flags.header);
    const secret = await readSecret(ctx, flags.secretFile, '--secret-file');
    const body = await readPayload(ctx, args.payload);
    const tolerance = flags.tolerance === undefined ? Infinity : flags.tolerance / 1_000;
    // Only the given headers are checked, and those of one scheme are enough. The helper always demands X-Service-Signature, so it gets a
    // valid one if none was given.
    const names = headers.map(([name]) => name);
    if (names.some(isStandard) && !names.includes(SERVICE_SIGNATURE))
      headers.push([SERVICE_SIGNATURE, await sign(body, secret)]);
    try {
      await unwrap({ body, headers }, { secret, tolerance, requireTimestamp: false, now: ctx.now });
    } catch (error) {
      if (!isWebhookVerificationError(error)) throw error;
      if (!BEHIND_THE_SIGNATURE.includes(error.reason)) {
        return { valid: false, reason: error.reason, message: error.message };
      }
    }
    return { valid: true, reason: null, message: 'The signature is genuine.' };
  },
});

export const commands = [sign, verify] as const;
