import { type APIError, Hubline, type Member, type Webhook, type Workspace } from './index.ts';

// Compiled by tsc, never run. Lines that must not compile are marked; any other type error is a failure.

const client = new Hubline({ apiKey: null });

/** A newer server may send values that this version does not know. */
export function responsesAreOpen(workspace: Workspace, member: Member, webhook: Webhook): void {
  const plan: string = workspace.plan;
  if (workspace.plan === 'platinum' || member.role === 'auditor' || webhook.status === 'paused') return;
  const known: Workspace['plan'][] = ['team', plan];
  known.push('platinum');
}

/** Error codes are open, too: `workspace_not_found` of the older form is not in the specification's table. */
export const codesAreOpen = (error: APIError): boolean =>
  error.code === 'not_found' || error.code === 'workspace_not_found';

/** The types of requests are closed: the service takes nothing else. */
export async function requestsAreStrict(): Promise<void> {
  await client.workspaces.create({ name: 'Acme', slug: 'acme', plan: 'team' });
  // @ts-expect-error no such plan
  await client.workspaces.create({ name: 'Acme', slug: 'acme', plan: 'platinum' });
  // @ts-expect-error slug is required
  await client.workspaces.create({ name: 'Acme' });
  // @ts-expect-error a field that does not exist
  await client.workspaces.update('ws_…', { title: 'Acme' });
  // @ts-expect-error no such role
  await client.members.invite('ws_…', { email: 'ada@example.com', role: 'auditor' });
  // @ts-expect-error no such filter
  await client.events.list('ws_…', { kind: 'push' });
  // @ts-expect-error no such subscription
  await client.webhooks.update('whk_…', { events: ['event.deleted'] });
}
