import type { Context } from '../../context.ts';
import { describeError } from '../../errors/describe-error.ts';
import { CommandError, Interrupted } from '../../errors/errors.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { wrap } from '../../terminal/text.ts';
import { type Check, checks, type Finding } from './checks.ts';

interface Diagnosis {
  readonly check: string;
  readonly status: Finding['status'] | 'fixed';
  readonly message: string;
  /** The cure; `null` for none. */
  readonly cure: string | null;
}

const MARKS = { ok: '✓', fixed: '✓', warning: '!', failed: '✗', skipped: '·' } as const;

const doctor = define({
  path: 'doctor',
  summary:
    'Check configuration, server, key and integrations, and say how to fix problems. Exit code 9 if a check fails.',
  endpoints: ['me.get', 'integrations.list', 'integrations.get'],
  flags: { fix: { type: 'boolean', summary: 'Fix what can be fixed on this machine' } },
  examples: ['hubline doctor', 'hubline doctor --fix', 'hubline doctor --json=check,status'],
  view: view<Diagnosis>()({
    noun: ['check', 'checks'],
    fields: ['check', 'status', 'message', 'cure'],
    columns: ['check', 'status', { path: 'message', flexible: true }],
    id: 'check',
  }),
  say: ({ check, status, message, cure }, style, { width, asTyped }) => {
    const paint = {
      ok: style.green,
      fixed: style.green,
      warning: style.yellow,
      failed: style.red,
      skipped: style.dim,
    };
    const indent = `\n  ${' '.repeat(13)} `;
    const text = wrap(message, width - indent.length + 1).join(indent);
    const line = `${paint[status](MARKS[status])} ${check.padEnd(13)} ${text}`;
    return cure === null ? line : line + indent + style.dim(asTyped(cure));
  },
  async *run(ctx, { flags: { fix } }): AsyncGenerator<Diagnosis> {
    const failed = new Set<string>();
    for (const check of checks) {
      // In a dry run, the cures say what would be fixed.
      const diagnosis =
        check.needsServer && failed.has('server')
          ? {
              check: check.name,
              status: 'skipped' as const,
              message: 'the server does not respond',
              cure: null,
            }
          : await diagnose(ctx, check, fix && !ctx.globals.dryRun);
      if (diagnosis.status === 'failed') failed.add(check.name);
      yield diagnosis;
    }
    if (failed.size > 0)
      throw new CommandError(
        'check_failed',
        `${failed.size} of ${checks.length} checks failed: ${[...failed].join(', ')}.`,
        failed.has('configuration')
          ? 'To fix what can be fixed on this machine: hubline doctor --fix'
          : 'The line below each says what to do.',
      );
  },
});

async function diagnose(ctx: Context, { name, run }: Check, mend: boolean): Promise<Diagnosis> {
  try {
    const { status, message, cure = null, fix } = await run(ctx);
    if (!mend || !fix) return { check: name, status, message, cure };
    return { check: name, status: 'fixed', message: `${message}: ${fix()}`, cure: null };
  } catch (error) {
    if (error instanceof Interrupted || ctx.signal.aborted) throw error;
    const { message, hint } = await describeError(error);
    return { check: name, status: 'failed', message, cure: hint };
  }
}

export const commands = [doctor] as const;
