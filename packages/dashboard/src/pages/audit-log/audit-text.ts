import type { AuditEntry } from '@hubline/sdk';

/** The verb of each action, between the actor and the target. */
const VERBS: Readonly<Record<string, string>> = {
  'api_key.created': 'created the API key',
  'api_key.revoked': 'revoked the API key',
  'api_key.rotated': 'rotated the API key',
  'api_key.updated': 'changed the API key',
  'automation.disabled': 'disabled the automation',
  'integration.connected': 'connected',
  'integration.created': 'added',
  'integration.disconnected': 'disconnected',
  'integration.failed': 'saw a problem with',
  'integration.recovered': 'saw the recovery of',
  'integration.reconnected': 'reconnected',
  'integration.sync_requested': 'asked for a catch-up of',
  'integration.tested': 'sent a test notification to',
  'integration.updated': 'changed the notifications of',
  'integration.webhook_left': 'could not remove the webhook of',
  'member.account_reset': 'reset the account of',
  'member.invite_resent': 'sent a new invitation to',
  'member.invited': 'invited',
  'member.joined': 'joined',
  'member.ownership_transferred': 'transferred ownership to',
  'member.removed': 'removed',
  'member.role_changed': 'changed the role of',
  'webhook.created': 'created the webhook',
  'webhook.deleted': 'deleted the webhook',
  'webhook.delivery_retried': 'sent a delivery again to',
  'webhook.disabled': 'disabled the webhook',
  'webhook.recovery_started': 'started a recovery of',
  'webhook.secret_rotated': 'rotated the secret of the webhook',
  'webhook.tested': 'sent a test call to',
  'webhook.updated': 'changed the webhook',
  'workspace.created': 'created the workspace',
  'workspace.updated': 'changed the workspace',
};

/** The known actions, for the filter. One that a newer server adds is shown by its name. */
export const auditActions = Object.fromEntries(Object.keys(VERBS).map((action) => [action, action]));

/** The verb of an action. */
export const auditVerb = (action: string): string => VERBS[action] ?? action.replaceAll(/[._]/g, ' ');

/** The actor of an entry. */
export const auditActor = ({ actor: { name, id, type } }: AuditEntry): string => name ?? id ?? type;

/** The targets of an entry. Somebody who joins has none but themselves. */
export const auditTarget = ({ action, targets }: AuditEntry): string =>
  (action === 'member.joined' ? [] : targets).map(({ name, id }) => name ?? id).join(', ');

/** A value before or after, on one line: texts as they are, everything else as JSON. */
export function auditValue(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.join(', ') || 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
