import type { Context, Deps } from '../../../context.ts';
import { type EmailSubscription, subscribeAgain, unsubscribe } from '../../../db/notifications/recipients.ts';
import { findRule } from '../../../db/notifications/rules.ts';
import { findUser } from '../../../db/identity/users.ts';
import { findWorkspace } from '../../../db/workspaces/workspaces.ts';
import { Fault } from '../../../domain/faults/fault.ts';
import { hashToken } from '../../../secrets/token.ts';

/** The unsubscribe link in an email. It is signed, so that it needs no login and nobody can forge one. */
export function unsubscribeUrl(
  { vault, publicUrl }: Pick<Deps, 'vault' | 'publicUrl'>,
  { workspaceId, userId, rule }: EmailSubscription,
): string {
  const about = `${workspaceId}.${userId}.${rule}`;
  return `${publicUrl()}/unsubscribe?token=${about}.${vault.mac('unsubscribe', about)}`;
}

/** Reads the subscription from the token of a link. */
function read({ vault }: Pick<Deps, 'vault'>, token: string): EmailSubscription {
  const parts = token.split('.');
  const [workspaceId = '', userId = '', rule = '', mac = ''] = parts;
  const expected = vault.mac('unsubscribe', `${workspaceId}.${userId}.${rule}`);
  // Compares hashes, so that the duration reveals nothing about the signature.
  if (parts.length !== 4 || hashToken(mac) !== hashToken(expected))
    throw new Fault('not_found', 'This link is incomplete. Open it again from the email.');
  return { workspaceId, userId, rule };
}

/** The subscription of a link, with names for people. */
export async function showSubscription(
  context: Pick<Deps, 'store' | 'vault'>,
  token: string,
): Promise<{ email: string; workspace: string; rule: string }> {
  const { workspaceId, userId, rule } = read(context, token);
  const [user, workspace, row] = await Promise.all([
    findUser(context.store.read, userId),
    findWorkspace(context.store.read, workspaceId),
    findRule(context.store.read, workspaceId, rule),
  ]);
  if (!user || !workspace) throw new Fault('not_found', 'This subscription no longer exists.');
  return { email: user.email, workspace: workspace.name, rule: row?.name ?? 'problems of the workspace' };
}

/** Stops the emails of a rule to a user, or starts them again. */
export async function changeSubscription(
  context: Context,
  { token, wanted }: { token: string; wanted: boolean },
): Promise<void> {
  const subscription = read(context, token);
  await showSubscription(context, token);
  await context.write((tx) =>
    wanted ? subscribeAgain(tx, subscription) : unsubscribe(tx, subscription, context.now.toISOString()),
  );
}
