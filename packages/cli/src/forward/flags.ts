import { LIMITS } from '@hubline/contract/constants';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '../config/make-directory.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors/errors.ts';
import { unreadable } from '../errors/file-error.ts';
import { readSecret } from '../input/read-input.ts';
import { durationText } from '../output/time.ts';
import type { FlagTable, FlagValues } from '../spec/flag.ts';
import type { Globals } from '../spec/global-flags.ts';
import type { Forwarding, Send } from './forward.ts';

const DELAYS = LIMITS.retryDelaysMs.filter(Boolean).map(durationText).join(', ');

/** The delays of all attempts: one attempt, or the server's schedule, `speed` times as fast. */
function delaysOf(retry: 'none' | 'spec', speed: number): readonly number[] {
  const delays = LIMITS.retryDelaysMs;
  return retry === 'none' ? delays.slice(0, 1) : delays.map((ms) => ms / speed);
}

/**
 * The secret that signs calls from this machine unless another is given: always the same, so that a receiver is set up once. It protects
 * nothing on a server.
 */
async function ownSecret(directory: string, { dryRun }: Pick<Globals, 'dryRun'>): Promise<string> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  // A dry run sends nothing, so it needs no secret file.
  if (dryRun) return secret;
  const file = join(directory, 'listen-secret');
  makeDirectory(directory, 0o700);
  try {
    await writeFile(file, `${secret}\n`, { flag: 'wx', mode: 0o600 });
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const saved = (
      await readFile(file, 'utf8').catch((failure: unknown) => {
        throw unreadable(
          file,
          failure,
          'Let this user read it, or delete it, and the next run makes another.',
        );
      })
    ).trim();
    // An interrupted run may have left an empty file, and calls signed with an empty secret prove nothing.
    if (saved === '')
      throw usageError(
        `${file} is empty, but must have a secret.`,
        `Delete it, and the next run makes another.`,
      );
    return saved;
  }
}

/** Flags of `listen`, `replay` and `trigger --to`. */
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
    summary: 'Header to send in addition to those of a delivery',
  },
  retry: {
    type: 'text',
    value: 'when',
    choices: ['none', 'spec'],
    summary: `Retries of failed calls: spec, as the server makes them (after ${DELAYS}), or none (default: spec for listen, none for replay and trigger)`,
  },
  'retry-speed': {
    type: 'integer',
    value: 'n',
    min: 1,
    default: 1,
    summary: 'Speed up the retries by this factor',
  },
  show: {
    type: 'text',
    value: 'part',
    choices: ['body', 'headers'],
    repeatable: true,
    summary: 'Show these parts of calls and responses',
  },
  'allow-remote': { type: 'boolean', summary: 'Allow forwarding to another machine' },
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
