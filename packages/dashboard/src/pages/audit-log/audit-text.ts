import type { AuditEntry } from '@hubline/sdk';
import { PROVIDER_NAMES } from '../integrations/use-integrations.ts';

/** The known actions, for the filter. One that a newer server adds is shown by its name. */
export const auditActions = Object.fromEntries(
  Object.entries({
    api_key: 'created revoked rotated updated',
    automation: 'created deleted disabled run run_cancelled run_retried updated',
    integration:
      'connected created disconnected failed reconnected recovered sync_requested tested updated webhook_left',
    member: 'account_reset invite_resent invited joined ownership_transferred removed role_changed',
    notification_rule: 'created deleted updated',
    notification_template: 'created deleted updated',
    oauth_app: 'configured removed',
    provider: 'defined deleted updated',
    webhook: 'created deleted delivery_retried disabled recovery_started secret_rotated tested updated',
    workspace: 'created updated',
  }).flatMap(([noun, verbs]) => verbs.split(' ').map((verb) => [`${noun}.${verb}`, `${noun}.${verb}`])),
);

/** The words between the actor and the target, for actions that need more than their verb and noun. */
const VERBS: Readonly<Record<string, string>> = {
  'automation.run': 'ran the automation',
  'automation.run_cancelled': 'cancelled a run of',
  'automation.run_retried': 'retried a run of',
  'integration.connected': 'connected',
  'integration.created': 'added',
  'integration.disconnected': 'disconnected',
  'integration.failed': 'reported a problem with',
  'integration.reconnected': 'reconnected',
  'integration.recovered': 'reported the recovery of',
  'integration.sync_requested': 'requested a sync of',
  'integration.tested': 'sent a test notification to',
  'integration.updated': 'changed the notifications of',
  'integration.webhook_left': 'could not remove the webhook of',
  'member.account_reset': 'set a new password for',
  'member.invite_resent': 'sent a new invitation to',
  'member.invited': 'invited',
  'member.joined': 'joined',
  'member.ownership_transferred': 'transferred ownership to',
  'member.removed': 'removed',
  'member.role_changed': 'changed the role of',
  'webhook.delivery_retried': 'retried a delivery to',
  'webhook.recovery_started': 'retried the failed deliveries to',
  'webhook.secret_rotated': 'rotated the secret of the webhook',
  'webhook.tested': 'sent a test event to',
};

/** The verb of an action: `automation.created` is "created the automation". */
export function auditVerb(action: string): string {
  const [noun = '', verb = ''] = action.replaceAll('_', ' ').split('.');
  return (
    VERBS[action] ??
    `${verb === 'updated' ? 'changed' : verb} the ${noun.replace('api', 'API').replace('oauth', 'OAuth')}`
  );
}

/** The actor of an entry. */
export const auditActor = ({ actor: { name, id, type } }: AuditEntry): string => name ?? id ?? type;

/** The name of a target. An integration without its own name is called by its tool. */
export const targetName = ({ type, name }: AuditEntry['targets'][number]): string | null =>
  type === 'integration' && name !== null && Object.hasOwn(PROVIDER_NAMES, name)
    ? (PROVIDER_NAMES[name] ?? name)
    : name;

/** The targets of an entry. For somebody who joins, the actor is the target. */
export const auditTarget = ({ action, targets }: AuditEntry): string =>
  (action === 'member.joined' ? [] : targets).map((target) => targetName(target) ?? target.id).join(', ');

/** A value before or after a change, on one line: strings as they are, everything else as JSON. */
export function auditValue(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.join(', ') || 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
