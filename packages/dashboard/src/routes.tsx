import { lazyPage } from './shell/lazy-page.tsx';

const hub = () => import('./pages/hub.ts');

/** Path below `/w/{slug}/` → page, loaded when it is first seen. vite.config.ts says which come together. */
export const workspaceRoutes = {
  '': lazyPage(async () => (await import('./pages/overview/overview.tsx')).OverviewPage),
  overview: lazyPage(async () => (await import('./pages/overview/overview.tsx')).OverviewPage),
  events: lazyPage(async () => (await import('./pages/events/events.tsx')).EventsPage),
  'events/:id': lazyPage(async () => (await import('./pages/events/event.tsx')).EventPage),
  deliveries: lazyPage(async () => (await import('./pages/deliveries/deliveries.tsx')).DeliveriesPage),
  'deliveries/:id': lazyPage(async () => (await import('./pages/deliveries/delivery.tsx')).DeliveryPage),
  webhooks: lazyPage(async () => (await import('./pages/webhooks/webhooks.tsx')).WebhooksPage),
  'webhooks/:id': lazyPage(async () => (await import('./pages/webhook/webhook.tsx')).WebhookPage),
  integrations: lazyPage(
    async () => (await import('./pages/integrations/integrations.tsx')).IntegrationsPage,
  ),
  'integrations/:id': lazyPage(
    async () => (await import('./pages/integrations/integration.tsx')).IntegrationPage,
  ),
  members: lazyPage(async () => (await import('./pages/members/members.tsx')).MembersPage),
  settings: lazyPage(async () => (await import('./pages/settings/settings.tsx')).SettingsPage),
  'settings/api-keys': lazyPage(async () => (await import('./pages/api-keys/api-keys.tsx')).ApiKeysPage),
  'audit-log': lazyPage(async () => (await import('./pages/audit-log/audit-log.tsx')).AuditLogPage),
  automations: lazyPage(async () => (await hub()).AutomationsPage),
  'automations/:id': lazyPage(async () => (await hub()).AutomationPage),
  'automations/:id/runs/:run': lazyPage(async () => (await hub()).AutomationRunPage),
  'notification-rules': lazyPage(async () => (await hub()).NotificationRulesPage),
  'notification-rules/:id': lazyPage(async () => (await hub()).NotificationRulePage),
  templates: lazyPage(async () => (await hub()).TemplatesPage),
  'templates/:id': lazyPage(async () => (await hub()).TemplatePage),
  notifications: lazyPage(async () => (await hub()).NotificationsPage),
  account: lazyPage(async () => (await import('./pages/account.tsx')).AccountPage),
} as const;

/** Pages that links may name without a workspace, as the command line does; they lead to the one that was used last. */
export const shortPaths: readonly string[] = Object.keys(workspaceRoutes).filter(
  (path) => !path.includes(':'),
);

/** For everybody, logged in or not. */
export const DocsPage = lazyPage(async () => (await import('./pages/docs/docs.tsx')).DocsPage);
export const LoginPage = lazyPage(async () => (await import('./pages/login.tsx')).LoginPage);
export const NotFoundPage = lazyPage(async () => (await import('./pages/not-found.tsx')).NotFoundPage);
