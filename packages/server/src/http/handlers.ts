import type { EndpointInput, EndpointName, EndpointOutput, Endpoints } from '@hubline/contract';
import type { Context, OptionalContext, UserContext, WorkspaceContext } from '../context.ts';
import type { Fault } from '../domain/faults/fault.ts';
import type { Encoded } from '../domain/json/encoded.ts';
import * as apiKeys from '../services/identity/api-keys.ts';
import * as auditLog from '../services/audit-log.ts';
import * as automations from '../services/automations/automations.ts';
import { test as dryRun } from '../services/automations/dry-run/dry-run.ts';
import * as runs from '../services/automations/runs/runs.ts';
import { connect, create } from '../services/integrations/connect.ts';
import * as deliveries from '../services/webhooks/deliveries.ts';
import * as events from '../services/events/events.ts';
import { publish, publishBatch, recallPublished } from '../services/events/publish.ts';
import type { Check } from './pipeline.ts';
import type { RecallWith } from '../services/idempotency.ts';
import * as integrations from '../services/integrations/integrations.ts';
import * as invitations from '../services/identity/invitations.ts';
import * as me from '../services/identity/me.ts';
import * as members from '../services/identity/members.ts';
import { reconnect } from '../services/integrations/reconnect.ts';
import * as definitions from '../services/integrations/definitions/definitions.ts';
import { preview } from '../services/integrations/definitions/preview.ts';
import { sync } from '../services/integrations/sync/begin.ts';
import * as inbox from '../services/notifications/inbox/inbox.ts';
import { log } from '../services/notifications/messages/log.ts';
import * as rules from '../services/notifications/rules/rules.ts';
import * as templates from '../services/notifications/templates/templates.ts';
import * as oauthApps from '../services/integrations/oauth/apps.ts';
import * as oauthFlows from '../services/integrations/oauth/start.ts';
import * as recoveries from '../services/webhooks/recoveries.ts';
import { testFilters } from '../services/webhooks/test-filters.ts';
import * as webhooks from '../services/webhooks/webhooks.ts';
import * as testCall from '../services/webhooks/test-call.ts';
import * as webhookStats from '../services/webhooks/webhook-stats.ts';
import * as workspaceHealth from '../services/workspaces/health.ts';
import * as workspaceStats from '../services/workspaces/workspace-stats.ts';
import * as workspaces from '../services/workspaces/workspaces.ts';

type ContextOf<Name extends EndpointName> = Endpoints[Name]['access'] extends { kind: 'workspace' }
  ? WorkspaceContext
  : Endpoints[Name]['access'] extends { kind: 'user' }
    ? UserContext
    : Endpoints[Name]['access'] extends { kind: 'optional' }
      ? OptionalContext
      : Context;

/** Rows whose response is not plain JSON are served by files of their own. */
type Special = {
  [Name in EndpointName]: Endpoints[Name] extends { special: 'ingest' | 'event-stream' } ? Name : never;
}[EndpointName];

type Handlers = {
  [Name in Exclude<EndpointName, Special>]: (
    context: ContextOf<Name>,
    input: EndpointInput<Name>,
  ) => Promise<
    | EndpointOutput<Name>
    | Encoded<EndpointOutput<Name>>
    | (EndpointOutput<Name> extends undefined ? void : never)
  >;
};

/** Every endpoint and what serves it. A row of the contract without a handler does not compile. */
export const handlers = {
  'me.get': me.get,
  'personalApiKeys.list': apiKeys.listPersonal,
  'personalApiKeys.create': apiKeys.createPersonal,
  'personalApiKeys.revoke': apiKeys.revokePersonal,
  'workspaces.list': workspaces.list,
  'workspaces.create': workspaces.create,
  'workspaces.get': workspaces.get,
  'workspaces.update': workspaces.update,
  'workspaces.delete': workspaces.remove,
  'workspaces.stats': workspaceStats.stats,
  'workspaces.health': workspaceHealth.health,
  'members.list': members.list,
  'members.invite': members.invite,
  'members.create': members.create,
  'members.update': members.update,
  'members.remove': members.remove,
  'members.resendInvite': members.resendInvite,
  'invitations.accept': invitations.accept,
  'apiKeys.list': apiKeys.list,
  'apiKeys.create': apiKeys.create,
  'apiKeys.get': apiKeys.get,
  'apiKeys.update': apiKeys.update,
  'apiKeys.revoke': apiKeys.revoke,
  'apiKeys.rotate': apiKeys.rotate,
  'integrations.listProviders': integrations.listProviders,
  'integrations.connect': connect,
  'integrations.create': create,
  'integrations.get': integrations.get,
  'integrations.update': integrations.update,
  'integrations.test': integrations.test,
  'integrations.reconnect': reconnect,
  'integrations.sync': sync,
  'integrations.list': integrations.list,
  'integrations.disconnect': integrations.disconnect,
  'providers.listPresets': definitions.listPresets,
  'providers.list': definitions.list,
  'providers.create': definitions.create,
  'providers.preview': preview,
  'providers.get': definitions.get,
  'providers.update': definitions.update,
  'providers.delete': definitions.remove,
  'oauth.start': oauthFlows.start,
  'oauth.get': oauthFlows.get,
  'oauth.listApps': oauthApps.list,
  'oauth.configureApp': oauthApps.configure,
  'oauth.removeApp': oauthApps.remove,
  'events.list': events.list,
  'events.listAll': events.listAll,
  'events.get': events.get,
  'events.publish': publish,
  'events.publishBatch': publishBatch,
  'webhooks.list': webhooks.list,
  'webhooks.create': webhooks.create,
  'webhooks.get': webhooks.get,
  'webhooks.update': webhooks.update,
  'webhooks.delete': webhooks.remove,
  'webhooks.rotateSecret': webhooks.rotateSecret,
  'webhooks.test': testCall.test,
  'webhooks.stats': webhookStats.stats,
  'webhooks.testFilters': testFilters,
  'webhooks.enable': webhooks.enable,
  'webhooks.recover': recoveries.recover,
  'deliveries.listForWebhook': deliveries.listForWebhook,
  'deliveries.list': deliveries.list,
  'deliveries.get': deliveries.get,
  'deliveries.retry': deliveries.retry,
  'deliveries.retryAll': recoveries.retryAll,
  'recoveries.get': recoveries.get,
  'automations.list': automations.list,
  'automations.create': automations.create,
  'automations.get': automations.get,
  'automations.update': automations.update,
  'automations.delete': automations.remove,
  'automations.test': dryRun,
  'automations.run': runs.run,
  'automations.listRuns': runs.listRuns,
  'automations.getRun': runs.getRun,
  'automations.retryRun': runs.retryRun,
  'automations.cancelRun': runs.cancelRun,
  'notificationTemplates.list': templates.list,
  'notificationTemplates.create': templates.create,
  'notificationTemplates.get': templates.get,
  'notificationTemplates.update': templates.update,
  'notificationTemplates.delete': templates.remove,
  'notificationTemplates.preview': templates.preview,
  'notificationRules.list': rules.list,
  'notificationRules.create': rules.create,
  'notificationRules.get': rules.get,
  'notificationRules.update': rules.update,
  'notificationRules.delete': rules.remove,
  'notificationRules.test': rules.test,
  'notificationRules.log': log,
  'notifications.list': inbox.list,
  'notifications.unread': inbox.unread,
  'notifications.update': inbox.update,
  'notifications.readAll': inbox.readAll,
  'auditLog.list': auditLog.listAuditLog,
} satisfies Handlers;

/** Makes the response to a repeated request again, where that costs less than storing it. */
export const recalls: Partial<Record<EndpointName, RecallWith>> = {
  'events.publish': recallPublished,
};

/** Checks that find, in a body that its schema has refused, what the handler would refuse next. */
export const checks = {
  'automations.create': automations.check,
  'automations.update': automations.check,
  'notificationRules.create': rules.check,
  'notificationRules.update': rules.check,
  'notificationTemplates.create': templates.check,
  'notificationTemplates.update': templates.check,
  'webhooks.create': webhooks.check,
  'webhooks.update': webhooks.check,
} as Partial<Record<EndpointName, Check>>;

/** The parts of these checks that need neither the database nor the settings of the server. */
export const formChecks: Partial<Record<EndpointName, (sound: object) => Fault[]>> = {
  'automations.create': automations.checkForm,
  'automations.update': automations.checkForm,
  'notificationRules.create': rules.checkForm,
  'notificationRules.update': rules.checkForm,
  'notificationTemplates.create': templates.checkForm,
  'notificationTemplates.update': templates.checkForm,
  'webhooks.create': webhooks.checkForm,
  'webhooks.update': webhooks.checkForm,
};
