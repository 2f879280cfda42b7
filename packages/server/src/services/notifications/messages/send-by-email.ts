import type { Deps } from '../../../context.ts';
import type { MessageRow } from '../../../db/notifications/messages.ts';
import { findRule } from '../../../db/notifications/rules.ts';
import { findRole } from '../../../db/identity/members.ts';
import { findUser } from '../../../db/identity/users.ts';
import { findWorkspace } from '../../../db/workspaces/workspaces.ts';
import type { Content } from '../../../domain/notifications/content.ts';
import { htmlMail, textMail } from '../../../domain/notifications/email.ts';
import { NO_EMAIL } from './destinations.ts';
import type { Sent } from './sent.ts';
import { unsubscribeUrl } from './unsubscribe.ts';

/** Sends a message by email. The same message has the same `Message-ID` on every attempt. */
export async function sendByEmail(deps: Deps, message: MessageRow): Promise<Sent> {
  if (!deps.mail.sends) return { refused: NO_EMAIL };
  const { user_id: userId } = JSON.parse(message.destination) as { user_id: string };
  const [role, user, workspace, rule] = await Promise.all([
    findRole(deps.store.read, message.workspace_id, userId),
    findUser(deps.store.read, userId),
    findWorkspace(deps.store.read, message.workspace_id),
    findRule(deps.store.read, message.workspace_id, message.rule),
  ]);
  // Quiet hours and digests keep a message for hours: its recipient may have left in the meantime.
  if (role === undefined || !user || !workspace) return { refused: 'the member was removed' };
  const content = JSON.parse(message.content) as Content;
  const unsubscribe = unsubscribeUrl(deps, { workspaceId: workspace.id, userId, rule: message.rule });
  const footer = {
    rule: rule?.name ?? null,
    workspace: workspace.name,
    unsubscribe,
  };
  await deps.mail.send(
    {
      to: user.email,
      subject: content.subject,
      text: textMail(content, footer),
      html: htmlMail(content, footer),
      unsubscribe,
    },
    message.id,
  );
  return { refused: null };
}
