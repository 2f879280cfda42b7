/** The pages around automations and notifications, which come in one file. */
export { AutomationPage } from './automations/automation.tsx';
export { AutomationRunPage } from './automations/automation-run.tsx';
export { AutomationsPage } from './automations/automations.tsx';
export { NotificationRulePage } from './notification-rules/rule.tsx';
export { NotificationRulesPage } from './notification-rules/notification-rules.tsx';
export { InboxPanel } from './notifications/inbox-panel.tsx';
export { NotificationsPage } from './notifications/notifications.tsx';
export { TemplatePage } from './templates/template.tsx';
export { TemplatesPage } from './templates/templates.tsx';
