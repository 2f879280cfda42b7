import { TRIGGERS } from '@hubline/contract/constants';
import { randomBytes } from 'node:crypto';
import { isLoopback } from '../../config/base-url.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors/errors.ts';
import { assertOneStdin, readSecret } from '../../input/read-input.ts';
import { warnOfSecret } from '../../input/warn-of-secret.ts';
import { webhookFilters, webhookRateLimit } from '../../input/webhook-input.ts';
import { define } from '../../spec/command.ts';
import { shellWord } from '../../terminal/shell-word.ts';
import { createdWebhookView } from '../../views/webhook.ts';
import { FILTER_FLAGS, WEBHOOK_FIELDS } from './flags.ts';

export const command = define({
  path: 'webhook create',
  summary: 'Register a webhook: an HTTPS address that receives signed calls.',
  endpoints: ['webhooks.create'],
  flags: {
    url: {
      type: 'text',
      value: 'url',
      required: true,
      prompt: 'URL',
      summary: 'HTTPS address to call; a server with --allow-http-localhost also calls http://localhost',
    },
    trigger: {
      type: 'text',
      value: 'trigger',
      choices: ['*', ...TRIGGERS],
      repeatable: true,
      required: true,
      prompt: 'Trigger, * for all',
      summary: 'Trigger to subscribe to, * for all',
    },
    'secret-file': { type: 'text', value: 'file|-', summary: 'Signing secret, from a file or stdin' },
    'generate-secret': {
      type: 'boolean',
      summary: 'Generate a signing secret, and print it once; not with --idempotency-key',
    },
    ...FILTER_FLAGS,
    'rate-limit': {
      type: 'integer',
      value: 'n',
      summary: 'Maximum calls per second; the rest wait',
    },
    name: { type: 'text', value: 'name', summary: 'Display name' },
    description: { type: 'text', value: 'text', summary: 'Purpose of the webhook' },
  },
  examples: [
    "hubline webhook create --url https://app.acme.test/hook --trigger '*' --generate-secret --json=id,secret",
    'hubline webhook create --url https://app.acme.test/hook --trigger event.created --type push --secret-file .hook-secret',
  ],
  typed: WEBHOOK_FIELDS,
  view: createdWebhookView,
  say: ({ id, url, secret }, style) =>
    `${style.green('✓')} Created webhook ${id} for ${url}${secret ? '. Its secret is shown only now:' : ''}`,
  next: ({ id }) => `Send it a test call: hubline webhook ping ${shellWord(id)}`,
  ifLost: ({ id }) => `Replace it: hubline webhook rotate-secret ${shellWord(id)}`,
  cure: ({ details }, { flags: { url } }) =>
    details.some(({ field, issue }) => field === 'url' && !/\bport\b/.test(issue)) && isThisMachine(url)
      ? `For a program on this machine: hubline listen ${shellWord(url)}. Or start the server with --allow-http-localhost.`
      : undefined,
  async run(ctx, { flags }) {
    assertOneStdin({
      '--secret-file': flags.secretFile,
      '--conditions': flags.conditions?.replace(/^@/, ''),
    });
    const given = await givenSecret(ctx, flags);
    if (given === undefined) refuseNewSecret(ctx);
    if (given !== undefined) await warnOfSecret(ctx, given, 'To have one made: --generate-secret.');
    // 32 random bytes in the form of Standard Webhooks, which every verifying library takes.
    const secret = given ?? `whsec_${randomBytes(32).toString('base64')}`;
    const client = await ctx.client();
    const body = {
      name: flags.name,
      url: flags.url,
      events: flags.trigger,
      workspace_id: await ctx.workspace(),
      secret,
      filters: await webhookFilters(ctx, flags),
      rate_limit: webhookRateLimit(flags.rateLimit),
      description: flags.description,
    };
    const webhook = await client.webhooks.create(body, ctx.request);
    return given === undefined ? { ...webhook, secret } : webhook;
  },
});

/** Refuses an idempotency key with a generated secret: each run would make another one, and no retry would be recognized. */
function refuseNewSecret({ globals }: Context): void {
  if (globals.idempotencyKey === undefined) return;
  throw usageError(
    'A generated secret is different in each run, so --idempotency-key could not recognize a retry.',
    `Make the secret once, and keep its file: (umask 077; echo "whsec_$(openssl rand -base64 32)" > .hook-secret). Then give --secret-file .hook-secret.`,
  );
}

function isThisMachine(url: string): boolean {
  return isLoopback(URL.parse(url)?.hostname ?? '');
}

/** The user's own secret; `undefined` if one has to be made. */
async function givenSecret(
  ctx: Context,
  { secretFile: file, generateSecret }: { secretFile: string | undefined; generateSecret: boolean },
): Promise<string | undefined> {
  if (generateSecret && file === undefined) return undefined;
  if (file !== undefined && !generateSecret) return readSecret(ctx, file, '--secret-file');
  if (file === undefined && ctx.interactive) {
    const prompter = await ctx.prompt('--secret-file');
    return (await prompter.secret('Signing secret (empty: generate one)')).trim() || undefined;
  }
  throw usageError('A webhook needs a signing secret.', 'Give either --generate-secret or --secret-file.');
}
