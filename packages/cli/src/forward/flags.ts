import type { FlagTable, FlagValues } from '../spec/flag.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { readSecret } from '../input/read-secret.ts';
import type { Send } from './answer.ts';
import type { Forwarding } from './forward.ts';
import { ownSecret } from './own-secret.ts';
import { delaysOf } from './schedule.ts';

/** How `listen`, `replay` and `trigger --to` forward. */
export const FORWARD_FLAGS = {
  'secret-file': {
    type: 'text',
    value: 'file|-',
    summary: 'Sign with this secret (default: one of this machine, see listen --print-secret)',
  },
  header: {
    type: 'text',
    short: 'H',
    value: 'name:value',
    repeatable: true,
    summary: 'Header to send beside those of a delivery',
  },
  retry: {
    type: 'text',
    value: 'when',
    choices: ['none', 'spec'],
    summary: 'Try failed calls again: never, or after 5 s, 25 s, 2 min and 10 min as the server does',
  },
  'retry-speed': { type: 'integer', value: 'n', default: 1, summary: 'Retry this many times as fast' },
  show: {
    type: 'text',
    value: 'part',
    choices: ['body', 'headers'],
    repeatable: true,
    summary: 'Show these parts of calls and answers',
  },
  'allow-remote': { type: 'boolean', summary: 'Forward to another machine than this one' },
} as const satisfies FlagTable;

type Flags = FlagValues<typeof FORWARD_FLAGS>;

/** The forwarding that the flags ask for. */
export async function forwardingOf(
  ctx: Context,
  flags: Flags,
  { send, retry }: { send: Send; retry: 'none' | 'spec' },
): Promise<Forwarding> {
  return {
    send,
    secret: await secretOf(ctx, flags),
    headers: Object.fromEntries(flags.header.map(parseHeader)),
    delays: delaysOf(flags.retry ?? retry, flags.retrySpeed),
    show: flags.show,
    now: ctx.now,
    signal: ctx.signal,
  };
}

/** The secret that calls are signed with. */
export function secretOf(ctx: Context, { secretFile }: Pick<Flags, 'secretFile'>): Promise<string> {
  return secretFile === undefined
    ? ownSecret(ctx.configDirectory(), ctx.globals)
    : readSecret(ctx, secretFile, '--secret-file');
}

function parseHeader(text: string): [string, string] {
  const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw usageError('--header takes "Name: value".');
  return [name, value];
}
