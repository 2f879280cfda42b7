import type { ComponentType } from 'preact';
import { EventPage } from './pages/events/event.tsx';
import { EventsPage } from './pages/events/events.tsx';
import { loadPages } from './pages/load-pages.ts';
import { LoginPage as Login } from './pages/login.tsx';
import { NotFoundPage as NotFound } from './pages/not-found.tsx';
import { lazyPage } from './shell/lazy-page.tsx';

const page = (name: keyof Awaited<ReturnType<typeof loadPages>>) =>
  lazyPage(async () => (await loadPages())[name]);
const docs = () => import('./pages/docs/docs.tsx');

/** A page that comes with the shell, because people see it first. */
const early = (loaded: ComponentType) => lazyPage(() => Promise.resolve(loaded));

/**
 * Path below `/w/{slug}/` → page. All but the first pages come together in one file, which loads when one of them is opened, or soon
 * after the first page.
 */
export const workspaceRoutes = {
  '': page('OverviewPage'),
  overview: page('OverviewPage'),
  events: early(EventsPage),
  'events/:id': early(EventPage),
  deliveries: page('DeliveriesPage'),
  'deliveries/:id': page('DeliveryPage'),
  webhooks: page('WebhooksPage'),
  'webhooks/:id': page('WebhookPage'),
  integrations: page('IntegrationsPage'),
  'integrations/:id': page('IntegrationPage'),
  members: page('MembersPage'),
  settings: page('SettingsPage'),
  'settings/api-keys': page('ApiKeysPage'),
  'audit-log': page('AuditLogPage'),
  health: page('HealthPage'),
  automations: page('AutomationsPage'),
  'automations/:id': page('AutomationPage'),
  'automations/:id/runs/:run': page('AutomationRunPage'),
  'runs/:id': page('RunOfIdPage'),
  'notification-rules': page('NotificationRulesPage'),
  'notification-rules/:id': page('NotificationRulePage'),
  templates: page('TemplatesPage'),
  'templates/:id': page('TemplatePage'),
  notifications: page('NotificationsPage'),
  account: page('AccountPage'),
} as const;

/** Pages that links may name without a workspace, as the command line does; they lead to the one that was used last. */
export const shortPaths: readonly string[] = Object.keys(workspaceRoutes).filter(
  (path) => !path.includes(':'),
);

/** The API reference is for everybody, logged in or not. */
export const DocsPage = lazyPage(async () => (await docs()).DocsPage);
export const LoginPage = early(Login);
export const NotFoundPage = early(NotFound);
