import type { Integration as Schema } from '@hubline/contract';
import type { z } from 'zod';
import type { WorkspaceContext } from '../../context.ts';
import type { IntegrationRow } from '../../db/integrations/integrations.ts';
import { overlapEnd } from '../../providers/calls/overlap.ts';
import type { Credentials, Provider } from '../../providers/provider.ts';
import { hasPermission, hasScope } from '../identity/access.ts';
import { openCredentials } from './credentials.ts';
import { ingestUrl, ingestWarning } from './ingest-url.ts';
import { providerOf } from './provider-of.ts';
import { providerName, statusOf } from './status.ts';
import { shownSync } from './sync/state.ts';

type Integration = z.output<typeof Schema>;

// Stands for a token in a URL. Brackets would have a meaning in a URL, and in curl's arguments.
const HIDDEN = '***';

/** An integration as the API shows it: never with its credentials. */
export function toIntegration(context: WorkspaceContext, row: IntegrationRow): Integration {
  return {
    integration_id: row.id,
    provider: row.provider,
    name: row.name,
    workspace_id: row.workspace_id,
    ...statusOf(context, row),
    connected_at: row.connected_at,
    last_synced_at: row.last_synced_at,
    last_event: lastEventOf(row),
    sync: shownSync(row),
    config: JSON.parse(row.config),
    ingest: {
      registered: isRegistered(row),
      ...setupOf(context, row),
      warning: ingestWarning(context),
    },
  };
}

export const lastEventOf = ({ last_event: event }: IntegrationRow): Integration['last_event'] =>
  event === null ? null : JSON.parse(event);

/** An integration that was just connected, with the signing secret that was made for it. */
export function toConnected(context: WorkspaceContext, row: IntegrationRow, secret: string | undefined) {
  const { ingest, ...integration } = toIntegration(context, row);
  const until = overlapEnd(openCredentials(context, row) ?? {});
  return {
    ...integration,
    ingest: {
      ...ingest,
      ...(secret === undefined ? {} : { secret }),
      ...(until === null ? {} : { previous_valid_until: until }),
    },
  };
}

const isRegistered = ({ hook, hook_refusal }: IntegrationRow) => hook !== null && hook_refusal === null;

type Ingest = Integration['ingest'];

/** The setup steps that are left at the provider. */
function setupOf(context: WorkspaceContext, row: IntegrationRow): Omit<Ingest, 'registered' | 'warning'> {
  const name = providerName(context, row);
  const credentials = openCredentials(context, row);
  const provider = providerOf(context, row);
  const isManager =
    hasPermission(context.access, 'manage_integrations') && hasScope(context.actor, 'integrations:write');
  const token = provider && credentials && urlToken(provider, credentials);
  const url = `${ingestUrl(context, row.id)}${token ? `?token=${isManager ? token : HIDDEN}` : ''}`;
  const setup = (steps: readonly string[], rest: Partial<Ingest> = {}) => ({
    url,
    instructions: steps.join(' '),
    steps: [...steps],
    manifest: null,
    verification_token: null,
    ...rest,
  });
  if (!credentials)
    return setup(['Reconnect the integration first: its stored credentials can no longer be read.']);
  if (isRegistered(row)) return setup([`The webhook is registered at ${name}. Nothing is left to do there.`]);
  if (!provider) return setup([]);
  const { steps, manifest = null } = provider.setUp(url, credentials);
  const isUnderWay =
    provider.registersLater &&
    row.status === 'connected' &&
    row.hook_refusal === null &&
    (provider.receives?.(credentials) ?? true);
  const soon = isUnderWay
    ? [`The webhook is being registered at ${name}. If that takes more than a minute, continue by hand:`]
    : [];
  const refused =
    row.hook_refusal === null ? [] : [`${name} did not register the webhook: ${row.hook_refusal}.`];
  const hidden =
    token && !isManager ? ['The token in the URL is shown only to those who may manage integrations.'] : [];
  const isShown = isManager && row.verified_at === null;
  return setup([...soon, ...refused, ...steps, ...hidden], {
    manifest,
    verification_token: isShown ? (provider.verificationToken?.(credentials) ?? null) : null,
  });
}

/** The token that is a part of the ingest URL; `undefined` if there is none. */
function urlToken(provider: Provider, credentials: Credentials): string | undefined {
  const signing = provider.signing(credentials);
  return signing?.inUrl ? credentials[signing.name] : undefined;
}
