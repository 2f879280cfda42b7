import { z } from 'zod';
import { LIMITS } from '../../constants/limits.ts';
import { NOTIFICATION_TRIGGERS } from '../../constants/statuses.ts';
import { displayName, text, timestamp } from '../../text.ts';
import { overlapSeconds } from '../api-keys.ts';
import { bounded, dictionary, id, list, notificationTrigger, documentAs } from '../common.ts';
import { DefinedCredentials } from './credentials/defined.ts';
import { byProvider } from './credentials/index.ts';

/** Specification, "Connected integration": the `config` object. */
export const IntegrationConfig = z
  .strictObject({
    channel: text(1, 200).optional().describe('Destination of notifications, such as `#releases`.'),
    notify_on: list(notificationTrigger, { max: NOTIFICATION_TRIGGERS.length })
      .overwrite((names) => [...new Set(names)])
      .optional()
      .describe('Trigger names to notify on. Default: none, so that only rules send to it.'),
    filters: z
      .strictObject({
        severity: list(text(1, 50), { max: 20 })
          .optional()
          .describe('Severities of events to notify on, such as `high`. Default: all.'),
      })
      .optional()
      .describe('Filters of the notifications.'),
  })
  .describe('Notification settings of an integration.')
  .meta({ id: 'IntegrationConfig' });

/** Problems of an integration that does not work, or does not work yet. Each has a different remedy. */
const STATUS_CODES = [
  'awaiting_credentials',
  'awaiting_hook',
  'credentials_refused',
  'destination_refused',
  'credentials_unreadable',
  'webhook_ended',
] as const;

const IntegrationStatusDetail = z
  .object({
    code: z.enum(STATUS_CODES).meta({
      id: 'IntegrationStatusCode',
      description:
        '`awaiting_credentials`: the integration has none. `awaiting_hook`: no call of the provider has been verified yet. `credentials_refused`, ' +
        '`destination_refused`: the provider refused them. `credentials_unreadable`: they no longer decrypt. ' +
        '`webhook_ended`: the webhook was deleted at the provider.',
    }),
    message: z.string().describe('The problem and its cure, for people.'),
    since: timestamp.describe('Time of the change to this status.'),
  })
  .describe('Reason why an integration does not work, or not yet.')
  .meta({ id: 'IntegrationStatusDetail' });

/** Response of `POST /integrations/{integrationId}/sync`. */
export const IntegrationSync = z
  .object({
    status: z
      .enum(['running', 'completed', 'failed'])
      .meta({ id: 'IntegrationSyncStatus', description: 'Status of a sync.' })
      .describe('`running` until the API of the provider has returned everything, or has refused.'),
    since: timestamp.describe('Start of the period that the provider is asked about.'),
    started_at: timestamp.describe('Start time.'),
    completed_at: timestamp.nullable().describe('Time at which the sync ended; `null` while it runs.'),
    events: z.int().describe('Number of events stored.'),
    called: z
      .int()
      .describe('Number of calls that the provider was asked to repeat. They arrive as normal calls.'),
    error: z
      .string()
      .nullable()
      .describe(
        'Reason why the sync failed or, while it runs, why its last attempt failed; otherwise `null`.',
      ),
  })
  .describe('A sync: the provider is asked for what was missed. It survives a restart.')
  .meta({ id: 'IntegrationSync' });

const LastEvent = z
  .object({
    event_id: z.string().describe('`evt_` and 26 characters.'),
    type: z.string().describe('Event type.'),
    created_at: timestamp.describe('Time at which the event was stored.'),
  })
  .describe('The last event of an integration.')
  .meta({ id: 'IntegrationLastEvent' });

const ingest = {
  url: z
    .string()
    .describe(
      "URL for the provider's webhooks. With the verification `none` it ends with a token, which is `***` for callers who may not manage integrations.",
    ),
  registered: z.boolean().describe('True if the server has registered the webhook at the provider.'),
  instructions: z.string().describe('The `steps` as one text.'),
  steps: z.array(z.string()).describe('Steps that are left to do at the provider, in order.'),
  manifest: z
    .string()
    .nullable()
    .describe('App manifest to paste at the provider, such as for Slack; `null` for none.'),
  verification_token: z
    .string()
    .nullable()
    .describe(
      'Token that the provider, such as Notion, sent and expects back. Only for callers who may manage integrations, and only until the first signed call; otherwise `null`.',
    ),
  warning: z
    .string()
    .nullable()
    .describe(
      'Reason why a provider on the internet cannot call the URL, and the cure; `null` if none is known.',
    ),
};

/** Specification, "Connected integration". */
export const Integration = z
  .object({
    integration_id: z.string().describe('`int_` and 26 characters.'),
    provider: z.string().describe('Provider key.'),
    name: z
      .string()
      .nullable()
      .describe('Display name, for a workspace with several of the same kind; `null` for none.'),
    workspace_id: z.string().describe('Owning workspace.'),
    status: z
      .enum(['connected', 'disconnected', 'error'])
      .describe(
        '`connected`, `disconnected` until credentials or a first call arrive, or `error` while the provider refuses.',
      ),
    status_detail: IntegrationStatusDetail.nullable().describe(
      'Reason why the integration does not work, or not yet; `null` when nothing is left to do.',
    ),
    connected_at: timestamp.describe(
      'Time of the last connection or reconnection; before the first, the creation time.',
    ),
    last_synced_at: timestamp
      .nullable()
      .describe("Time of the provider's last authentic call, or of the last sync; `null` if there was none."),
    last_event: LastEvent.nullable().describe('The last event of the integration; `null` if there was none.'),
    sync: IntegrationSync.nullable().describe('The last sync; `null` if there was none.'),
    config: IntegrationConfig.describe('Notification settings.'),
    ingest: z.object(ingest).describe('The URL that the provider calls, and its setup.'),
  })
  .describe('A connected external tool.')
  .meta({ id: 'Integration' });

/** Response of connecting and reconnecting an integration. Only this form shows a generated ingest secret. */
export const ConnectedIntegration = Integration.extend({
  ingest: z
    .object({
      ...ingest,
      secret: z
        .string()
        .optional()
        .describe('Generated signing secret, if the request had none. Shown once.'),
      previous_valid_until: timestamp
        .optional()
        .describe(
          'End of the overlap, if there is one. Until then, calls with the old secret are still accepted.',
        ),
    })
    .describe('The URL that the provider calls, and its setup.'),
})
  .describe('An integration that has just been connected.')
  .meta({ id: 'ConnectedIntegration' });

/** Specification, "Connected integration", as the list of a workspace returns it. */
export const IntegrationSummary = Integration.omit({
  config: true,
  ingest: true,
  sync: true,
  workspace_id: true,
})
  .describe('A connected external tool, in a list.')
  .meta({ id: 'IntegrationSummary' });

// A newer server has more providers, each with its own fields, so credentials are validated after the provider is found.
const anyCredentials = dictionary(
  z.string().max(LIMITS.credentialMax, `must have at most ${LIMITS.credentialMax} characters`),
  LIMITS.credentialsMax,
);
const anyProvider = text(1, 100);
const definedProvider = anyProvider.describe('Key of a provider that the workspace has defined.');
const workspaceId = id('workspace').describe('Owning workspace.');
const name = displayName.nullable();
const optionalName = name.optional().describe('Display name, at most 100 characters.');
const optionalConfig = IntegrationConfig.optional().describe('Notification settings.');

/** Body of `POST /integrations/connect`. */
export const IntegrationConnect = documentAs(
  z.strictObject({
    provider: anyProvider,
    workspace_id: workspaceId,
    credentials: anyCredentials,
    config: optionalConfig,
    name: optionalName,
  }),
  z
    .union([
      ...byProvider((key, credentials) =>
        z
          .strictObject({
            provider: z.literal(key).describe('Provider key.'),
            workspace_id: workspaceId,
            credentials,
            config: optionalConfig,
            name: optionalName,
          })
          .describe(`A tool of the provider \`${key}\` to connect.`)
          .meta({ id: `IntegrationConnect${capitalized(key)}` }),
      ),
      z
        .strictObject({
          provider: definedProvider,
          workspace_id: workspaceId,
          credentials: DefinedCredentials,
          config: optionalConfig,
          name: optionalName,
        })
        .describe('A tool of a provider that the workspace has defined, to connect.')
        .meta({ id: 'IntegrationConnectDefined' }),
    ])
    .describe('An external tool to connect.')
    .meta({ id: 'IntegrationConnect' }),
);

/** Body of the variant `POST /integrations`. */
export const IntegrationCreate = documentAs(
  z.strictObject({
    type: anyProvider,
    workspace_id: workspaceId,
    config: IntegrationConfig,
    credentials: anyCredentials.optional(),
    name: optionalName,
  }),
  z
    .union([
      ...byProvider((key, credentials) =>
        z
          .strictObject({
            type: z.literal(key).describe('Provider key.'),
            workspace_id: workspaceId,
            config: IntegrationConfig.describe('Notification settings.'),
            credentials: credentials
              .optional()
              .describe('Credentials. `reconnectIntegration` can add them later.'),
            name: optionalName,
          })
          .describe(`A tool of the provider \`${key}\` to connect, in the variant form.`)
          .meta({ id: `IntegrationCreate${capitalized(key)}` }),
      ),
      z
        .strictObject({
          type: definedProvider,
          workspace_id: workspaceId,
          config: IntegrationConfig.describe('Notification settings.'),
          credentials: DefinedCredentials.optional().describe(
            'Credentials. `reconnectIntegration` can add them later.',
          ),
          name: optionalName,
        })
        .describe('A tool of a provider that the workspace has defined, in the variant form.')
        .meta({ id: 'IntegrationCreateDefined' }),
    ])
    .describe('An external tool to connect, in the variant form.')
    .meta({ id: 'IntegrationCreate' }),
);

/** Body of `PATCH /integrations/{integrationId}`. */
export const IntegrationUpdate = z
  .strictObject({
    config: IntegrationConfig.optional().describe(
      'New notification settings; they replace all of the old ones.',
    ),
    name: name.optional().describe('New name; `null` removes it.'),
  })
  .describe('Changes to an integration.')
  .meta({ id: 'IntegrationUpdate' });

const remove = list(text(1, 100), { max: LIMITS.credentialsMax })
  .optional()
  .describe('Names of stored optional credentials to remove, such as `notify_url`. Default: none.');

const overlap = overlapSeconds
  .unwrap()
  .optional()
  .describe(
    'Seconds for which calls with the old secret are accepted, at most 7 days; 0 ends that at once. Default: an overlap that has begun continues if the secret stays the same.',
  );

/** Body of `POST /integrations/{integrationId}/reconnect`. */
export const IntegrationReconnect = documentAs(
  z.strictObject({ credentials: anyCredentials, remove, overlap_seconds: overlap }),
  z
    .strictObject({
      credentials: z
        .union([...byProvider((_, credentials) => credentials), DefinedCredentials])
        .describe(
          "New credentials for the integration's provider. Optional ones that are left out keep their stored values, except `domain`, which has to be given again.",
        ),
      remove,
      overlap_seconds: overlap,
    })
    .describe('New credentials for an integration.')
    .meta({ id: 'IntegrationReconnect' }),
);

/** Body of `POST /integrations/{integrationId}/test`. */
export const IntegrationTest = z
  .strictObject({
    event_type: text(1, 100).describe(
      'Trigger that the notification simulates, such as `event.created`. Any other text is accepted, too.',
    ),
    payload: bounded(z.looseObject({ message: text(1, 4_000).describe('The text to send.') }), 100).describe(
      'Content of the notification.',
    ),
  })
  .describe('A test notification.')
  .meta({ id: 'IntegrationTest' });

/** Response of `POST /integrations/{integrationId}/test`. */
export const IntegrationTestResult = z
  .object({
    success: z.boolean().describe('True if the destination accepted the notification.'),
    integration_id: z.string().describe('`int_` and 26 characters.'),
    event_type: z.string().describe('Trigger that it simulates.'),
    delivered_at: timestamp.describe("Time of the destination's response."),
    destination: z.string().describe('Destination, without any secret part of its URL.'),
    error: z.string().optional().describe('Reason that the destination gave, if `success` is false.'),
  })
  .describe('Result of a test notification.')
  .meta({ id: 'IntegrationTestResult' });

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
