import type { EndpointName } from '../endpoints/index.ts';
import { apiKeyExamples } from './api-keys.ts';
import { auditLogExamples } from './audit-log.ts';
import { automationExamples } from './automations.ts';
import { deliveryExamples } from './webhooks/deliveries.ts';
import { eventExamples } from './events.ts';
import type { ExamplesOf } from './example.ts';
import { ingestExamples, integrationExamples } from './integrations/integrations.ts';
import { meExamples, memberExamples } from './members.ts';
import { notificationExamples } from './notifications.ts';
import { oauthExamples } from './integrations/oauth.ts';
import { providerExamples } from './integrations/providers.ts';
import { webhookExamples } from './webhooks/webhooks.ts';
import { workspaceExamples } from './workspaces.ts';

/** The examples of every endpoint. A missing one is a compile error; a wrong one fails the tests. */
export const examples: { readonly [Name in EndpointName]: ExamplesOf<Name> } = {
  ...meExamples,
  ...workspaceExamples,
  ...memberExamples,
  ...apiKeyExamples,
  ...integrationExamples,
  ...ingestExamples,
  ...providerExamples,
  ...oauthExamples,
  ...eventExamples,
  ...webhookExamples,
  ...deliveryExamples,
  ...automationExamples,
  ...notificationExamples,
  ...auditLogExamples,
};
