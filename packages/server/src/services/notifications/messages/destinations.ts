import type { Destination } from '@hubline/contract';
import type { Deps } from '../../../context.ts';
import { findIntegration } from '../../../db/integrations/integrations.ts';
import { listRecipients, listUnsubscribed } from '../../../db/notifications/recipients.ts';
import { findWebhook } from '../../../db/webhooks/webhooks.ts';
import type { Rule } from '../../../domain/notifications/rule.ts';
import type { IntegrationConfig } from '../../../providers/provider.ts';
import { providerOf } from '../../integrations/provider-of.ts';
import { OWNERS_RULE } from '../rules/rules-of.ts';

/** A destination of a message. */
export interface ResolvedDestination {
  kind: Destination['kind'];
  /** The part of it that is stored. */
  target: { integration_id: string; channel?: string } | { webhook_id: string } | { user_id: string };
  /** Its name, for people. */
  to: string;
  /** The recipient of an email or an in-app notification. */
  userId?: string;
  /** The reason why nothing can be sent there; `null` if it can. */
  problem: string | null;
}

/** The problem of a server without SMTP; the operator can fix it. */
export const NO_EMAIL = 'this server sends no email: start it with HUBLINE_SMTP_URL';

/** The reader of an email has followed its link. */
export const UNSUBSCRIBED = 'unsubscribed';

export const WEBHOOK_GONE = 'the webhook was deleted';

/**
 * Every destination of a rule, each once. `about`: an integration or a webhook, which is left out because it is
 * not notified of its own problem.
 */
export async function destinationsOf(
  deps: Pick<Deps, 'store' | 'mail' | 'providers'>,
  workspaceId: string,
  { rule, about }: { rule: Pick<Rule, 'key' | 'destinations'>; about?: unknown },
): Promise<ResolvedDestination[]> {
  const found = new Map<string, ResolvedDestination>();
  const unsubscribed = await listUnsubscribed(deps.store.read, workspaceId, rule.key);
  for (const destination of rule.destinations) {
    const resolved =
      destination.kind === 'email' || destination.kind === 'in_app'
        ? await people(deps, workspaceId, { destination, rule: rule.key, unsubscribed })
        : [
            destination.kind === 'integration'
              ? await toIntegration(deps, workspaceId, destination)
              : await toWebhook(deps, workspaceId, destination),
          ].filter((one) => one.about !== about);
    for (const { about: _, ...one } of resolved as (ResolvedDestination & { about?: string })[])
      found.set(`${one.kind} ${JSON.stringify(one.target)}`, one);
  }
  return [...found.values()];
}

type To<Kind extends Destination['kind']> = Extract<Destination, { kind: Kind }>;

async function toIntegration(
  { store, providers }: Pick<Deps, 'store' | 'providers'>,
  workspaceId: string,
  { integration_id, channel }: To<'integration'>,
): Promise<ResolvedDestination & { about: string }> {
  const row = await findIntegration(store.read, workspaceId, integration_id);
  const own = row && (JSON.parse(row.config) as IntegrationConfig).channel;
  return {
    kind: 'integration',
    target: { integration_id, ...(channel === undefined ? {} : { channel }) },
    to: channel ?? own ?? row?.name ?? row?.provider ?? integration_id,
    about: integration_id,
    problem: row
      ? providerOf({ providers }, row)?.notify
        ? null
        : 'the tool cannot receive messages'
      : 'the integration was disconnected',
  };
}

async function toWebhook(
  { store }: Pick<Deps, 'store'>,
  workspaceId: string,
  { webhook_id }: To<'webhook'>,
): Promise<ResolvedDestination & { about: string }> {
  const row = await findWebhook(store.read, workspaceId, webhook_id);
  return {
    kind: 'webhook',
    target: { webhook_id },
    // The path of a URL may be a secret in itself.
    to: row ? (row.name ?? new URL(row.url).host) : webhook_id,
    about: webhook_id,
    problem: row ? null : WEBHOOK_GONE,
  };
}

async function people(
  { store, mail }: Pick<Deps, 'store' | 'mail'>,
  workspaceId: string,
  {
    destination,
    rule,
    unsubscribed,
  }: { destination: To<'email' | 'in_app'>; rule: string; unsubscribed: ReadonlySet<string> },
): Promise<ResolvedDestination[]> {
  const { kind, roles, user_ids: userIds } = destination;
  // The built-in rule for owners sends email only if the server can. It is no problem otherwise, because nobody asked
  // for it.
  if (kind === 'email' && !mail.sends && rule === OWNERS_RULE) return [];
  const recipients = await listRecipients(store.read, workspaceId, { roles, userIds });
  return recipients.map(({ user_id, email }) => ({
    kind,
    target: { user_id },
    to: email,
    userId: user_id,
    problem: kind === 'email' ? emailProblem(mail.sends, unsubscribed.has(user_id)) : null,
  }));
}

function emailProblem(sends: boolean, isUnsubscribed: boolean): string | null {
  if (isUnsubscribed) return UNSUBSCRIBED;
  return sends ? null : NO_EMAIL;
}
