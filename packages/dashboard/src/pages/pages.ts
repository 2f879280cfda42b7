/**
 * The pages that are bundled into a file of their own: all except the first ones, which come with the shell. Pages that are alike stand
 * together, because the file then compresses better: in the order of their names it takes 1.3 KB more.
 */
export { WebhookPage } from './webhook/webhook.tsx';
export { WebhooksPage } from './webhooks/webhooks.tsx';
export { DeliveriesPage } from './deliveries/deliveries.tsx';
export { DeliveryPage } from './delivery/delivery.tsx';
export { IntegrationPage } from './integrations/integration.tsx';
export { IntegrationsPage } from './integrations/integrations.tsx';
export { AutomationPage } from './automations/automation.tsx';
export { AutomationRunPage } from './automations/automation-run.tsx';
export { AutomationsPage } from './automations/automations.tsx';
export { RunOfIdPage } from './automations/run-of-id.tsx';
export { NotificationRulePage } from './notification-rules/rule.tsx';
export { NotificationRulesPage } from './notification-rules/notification-rules.tsx';
export { TemplatePage } from './templates/template.tsx';
export { TemplatesPage } from './templates/templates.tsx';
export { InboxPanel } from './notifications/inbox-panel.tsx';
export { NotificationsPage } from './notifications/notifications.tsx';
export { MembersPage } from './members/members.tsx';
export { ApiKeysPage } from './api-keys/api-keys.tsx';
export { AuditLogPage } from './audit-log/audit-log.tsx';
export { AccountPage } from './account.tsx';
export { SettingsPage } from './settings/settings.tsx';
export { HealthPage } from './health/health.tsx';
export { OverviewPage } from './overview/overview.tsx';
