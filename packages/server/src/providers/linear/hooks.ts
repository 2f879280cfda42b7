import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { readPointer } from '../../domain/json/json-pointer.ts';
import type { Credentials, Ingest, ProviderTools, Registration } from '../provider.ts';
import { type LinearApi, linearApi, type LinearRefusal } from './api.ts';

// All data changes that every plan of Linear has, except customers and users: those are rarely about work.
const RESOURCES = [
  'Issue',
  'IssueLabel',
  'IssueSLA',
  'Attachment',
  'Comment',
  'Reaction',
  'Project',
  'ProjectUpdate',
  'Cycle',
  'Document',
  'Initiative',
  'InitiativeUpdate',
];

const LIST = 'query { webhooks(first: 250) { nodes { id url team { key } } } }';
const CREATE =
  'mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { success webhook { id } } }';
const UPDATE =
  'mutation ($id: String!, $input: WebhookUpdateInput!) { webhookUpdate(id: $id, input: $input) { success } }';
const DELETE = 'mutation ($id: String!) { webhookDelete(id: $id) { success } }';

/** Registers the ingest URL as a webhook of the team that the credentials name, or of all public teams. */
export async function registerLinearHook(
  credentials: Credentials,
  ingest: Ingest,
  tools: ProviderTools,
): Promise<Registration> {
  const api = linearApi(credentials, tools);
  const { team } = credentials;
  const settings = { url: ingest.url, secret: ingest.secret, resourceTypes: RESOURCES, enabled: true };
  const registered = (id: string, created: boolean): Registration => ({
    registered: true,
    hook: { id, ...(team === undefined ? {} : { team }) },
    created,
  });

  // Linear silently makes a second webhook for the same URL, and the team of a webhook cannot be changed.
  const known = ingest.hook?.['team'] === team ? ingest.hook?.['id'] : undefined;
  const found = known ?? (await findHook(api, ingest.url, team));
  if (isRefusal(found)) return refused(found);
  if (found !== null) {
    const changed = await api.ask(UPDATE, { id: found, input: settings });
    if (changed.ok) return registered(found, false);
    if (!isUnknown(changed)) return refused(changed);
  }
  const scope = team === undefined ? { allPublicTeams: true } : { teamId: team };
  const created = await api.ask(CREATE, { input: { ...settings, ...scope, label: 'Hubline' } });
  if (!created.ok) return refused(created);
  const id = readPointer(created.data, '/webhookCreate/webhook/id');
  if (typeof id !== 'string')
    throw new ProviderUnavailable("Linear's API created a webhook and did not say which");
  return registered(id, true);
}

/** Removes the webhook that calls the URL. Throws when Linear did not do it. */
export async function removeLinearHook(
  credentials: Credentials,
  { url, hook }: Pick<Ingest, 'url' | 'hook'>,
  tools: ProviderTools,
): Promise<void> {
  const api = linearApi(credentials, tools);
  const found = hook?.['id'] ?? (await findHook(api, url, credentials['team']));
  if (isRefusal(found)) throw new Error(`Linear refused: ${found.message}`);
  if (found === null) return;
  const removed = await api.ask(DELETE, { id: found });
  if (!removed.ok && !isUnknown(removed)) throw new Error(`Linear refused: ${removed.message}`);
}

const isRefusal = (found: string | null | LinearRefusal): found is LinearRefusal =>
  typeof found === 'object' && found !== null;

// The webhook is gone: somebody else has removed it.
const isUnknown = ({ why, message }: LinearRefusal) => why === 'request' && /not found/i.test(message);

async function findHook(
  api: LinearApi,
  url: string,
  team: string | undefined,
): Promise<string | null | LinearRefusal> {
  const listed = await api.ask(LIST);
  if (!listed.ok) return listed;
  const nodes = readPointer(listed.data, '/webhooks/nodes');
  const hook = (Array.isArray(nodes) ? (nodes as unknown[]) : []).find(
    (node) => readPointer(node, '/url') === url && (readPointer(node, '/team/key') ?? undefined) === team,
  );
  const id = readPointer(hook, '/id');
  return typeof id === 'string' ? id : null;
}

function refused({ why, message }: LinearRefusal): Registration {
  const reasons = {
    credentials: 'Linear refused the API key',
    permission: 'the API key may not manage webhooks; its owner must be an admin of the workspace',
    request: message,
  };
  return { registered: false, reason: reasons[why] };
}
