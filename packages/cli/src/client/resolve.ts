import { isId } from '@hubline/contract/constants';
import type { Context } from '../context.ts';
import { CommandError, usageError } from '../errors/errors.ts';

/**
 * The ID of a workspace. A slug is looked up in the caller's own memberships, which every key may read, whatever its scopes. Without a
 * reference, the ID is that of the only workspace that the key can see.
 */
export async function resolveWorkspace(ctx: Context, reference?: string): Promise<string> {
  const setting = reference ?? (await ctx.settings()).workspace?.value;
  if (setting !== undefined && isId('workspace', setting)) return setting;
  const client = await ctx.client();
  const { memberships } = await client.me.get({ signal: ctx.signal });
  if (setting !== undefined) {
    const found = memberships.find(({ slug }) => slug === setting);
    if (found) return found.workspace_id;
    throw new CommandError(
      'not_found',
      `There is no workspace "${setting}" that this key can see.`,
      'See: hubline workspace list',
    );
  }
  const [only] = memberships;
  if (only && memberships.length === 1) return only.workspace_id;
  if (!only)
    throw new CommandError(
      'not_found',
      'This key cannot see any workspace.',
      'Create one: hubline workspace create',
    );
  const slugs = memberships.map(({ slug }) => slug).join(', ');
  throw usageError(
    `No workspace is chosen, and this key can see ${memberships.length}: ${slugs}.`,
    'Add --workspace <slug>, or choose a default: hubline workspace use <slug>',
  );
}

/** The workspace named by the argument of a command, else the one to act in. */
export function targetWorkspace(ctx: Context, reference: string | undefined): Promise<string> {
  return reference === undefined ? ctx.workspace() : resolveWorkspace(ctx, reference);
}
