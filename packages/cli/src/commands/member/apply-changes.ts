import { ROLES } from '@hubline/contract/constants';
import { refuseSharedKey } from '../../input/shared-key.ts';
import type { Context } from '../../context.ts';
import { describeError } from '../../errors/describe-error.ts';
import { Interrupted, partly } from '../../errors/errors.ts';
import type { MemberChange } from '../../views/member.ts';

interface Options {
  readonly workspace: string;
  /** True if the changes are only reported, and nothing is done. */
  readonly dryRun: boolean;
}

/** Makes the changes one after the other, and reports the result of each. A failure does not stop the others. */
export async function* applyChanges(
  ctx: Context,
  changes: readonly MemberChange[],
  { workspace, dryRun }: Options,
): AsyncGenerator<MemberChange> {
  const results: MemberChange[] = [];
  refuseSharedKey(ctx, changes.length);
  ctx.progress.start(dryRun ? 'Checking' : 'Working', changes.length);
  for (const change of changes) {
    const result = dryRun ? change : await apply(ctx, change, workspace);
    results.push(result);
    yield result;
    ctx.progress.tick();
  }
  ctx.noteBelow(summaryOf(results, dryRun));
  const failed = results.filter(({ problem }) => problem !== null).length;
  if (failed > 0) throw partly(`${failed} of ${changes.length} failed.`);
}

async function apply(ctx: Context, change: MemberChange, workspace: string): Promise<MemberChange> {
  const { email, role, user_id: user } = change;
  const client = await ctx.client();
  const { request } = ctx;
  try {
    if (change.change === 'invite') {
      const invited = await client.members.invite(workspace, { email, role: role ?? undefined }, request);
      const { role: given, user_id, invite_url } = invited;
      return {
        ...change,
        role: ROLES.find((known) => known === given) ?? role,
        done: true,
        user_id,
        invite_url,
      };
    }
    if (change.change === 'update' && user !== null && role !== null) {
      await client.members.update(workspace, user, { role }, request);
      return { ...change, done: true };
    }
    if (change.change === 'remove' && user !== null) {
      await client.members.remove(workspace, user, request);
      return { ...change, done: true };
    }
    return change;
  } catch (error) {
    if (error instanceof Interrupted || ctx.signal.aborted) throw error;
    const { message } = await describeError(error);
    return { ...change, problem: message };
  }
}

/** `41 invited, 3 already members, 1 bad row (line 17)`; in a dry run `41 to invite`. */
function summaryOf(results: readonly MemberChange[], dryRun: boolean): string {
  const of = (kind: MemberChange['change']): MemberChange[] =>
    results.filter(({ change }) => change === kind);
  const changed = (kind: MemberChange['change'], planned: string, done: string): string => {
    const count = of(kind).filter((each) => dryRun || each.done).length;
    return `${count} ${dryRun ? planned : done}`;
  };
  const bad = of('invalid');
  const lines = bad.map(({ line }) => line).join(', ');
  const parts = [
    changed('invite', 'to invite', 'invited'),
    of('update').length > 0 && changed('update', 'to change', 'changed'),
    of('remove').length > 0 && changed('remove', 'to remove', 'removed'),
    of('none').length > 0 &&
      `${of('none').length} already ${of('none').length === 1 ? 'a member' : 'members'}`,
    bad.length > 0 && `${bad.length} bad ${bad.length === 1 ? 'row (line' : 'rows (lines'} ${lines})`,
  ];
  return parts.filter(Boolean).join(', ');
}
