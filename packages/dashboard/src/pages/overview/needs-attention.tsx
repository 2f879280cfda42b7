import { LIMITS } from '@hubline/contract/constants';
import type { StatsWebhook, Webhook } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { Mark, type MarkName } from '../../components/icons/mark.tsx';
import { Section } from '../../components/page/section.tsx';
import { Time } from '../../components/text/time.tsx';
import { formatDuration } from '../../data/formats/format-number.ts';
import { useRefreshed } from '../../data/queries/use-refreshed.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { failureWords } from '../deliveries/causes/failure-words.ts';
import { integrationName } from '../integrations/use-integrations.ts';
import { webhookName } from '../webhooks/webhook-name.tsx';
import { disabledBecause } from '../webhooks/webhook-state.tsx';

interface NeedsAttentionProps {
  readonly webhooks: readonly Webhook[] | undefined;
  readonly stats: readonly StatsWebhook[] | undefined;
}

interface Problem {
  readonly key: string;
  readonly href: string;
  readonly mark: MarkName;
  readonly title: string;
  readonly detail: string;
  readonly since: string | null;
}

/** A receiver that is slower than this keeps others waiting. */
const SLOW_MS = 5_000;
const REFRESH_MS = 30_000;

/** Everything that may need somebody to act, with the reason. */
export function NeedsAttention({ webhooks, stats }: NeedsAttentionProps) {
  const { id, href } = useWorkspace();
  const integrations = useRefreshed(
    (signal) => client.integrations.list(id, { limit: LIMITS.pageMax }, { signal }).toArray(),
    ['integrations', id, 'all'],
    { everyMs: REFRESH_MS },
  );
  if (!webhooks || !stats) return null;
  const problems: Problem[] = [
    ...webhooks.flatMap((webhook) =>
      problemOf(
        webhook,
        stats.find(({ webhook_id }) => webhook_id === webhook.id),
      ),
    ),
    ...(integrations.data ?? []).flatMap((integration) => {
      const { integration_id, provider, status, status_detail: detail } = integration;
      return detail && status !== 'connected'
        ? [
            {
              key: integration_id,
              href: `integrations/${integration_id}`,
              mark: 'fail' as const,
              title: `${integrationName(integration, provider)} stopped sending`,
              detail: detail.message,
              since: detail.since,
            },
          ]
        : [];
    }),
  ];
  return (
    <Section
      title="Needs attention"
      note={problems.length > 0 && <span class="pill bad plain">{problems.length}</span>}
    >
      {problems.length === 0 ? (
        <p class="note">
          <Mark name="ok" />
          <span>
            <b>Nothing.</b> Every webhook and integration works.
          </span>
        </p>
      ) : (
        <div class="card probs">
          {problems.map(({ key, href: to, mark, title, detail, since }) => (
            <a key={key} class="prob" href={href(to)}>
              <Mark name={mark} />
              <span class="grow">
                <b>{title}</b>
                <span class="d">{detail}</span>
              </span>
              {since !== null && (
                <span class="w">
                  since <Time value={since} begins />
                </span>
              )}
            </a>
          ))}
        </div>
      )}
    </Section>
  );
}

function problemOf(webhook: Webhook, did: StatsWebhook | undefined): Problem[] {
  const {
    id,
    disabled_reason: reason,
    failing_since: since,
    disabled_at,
    last_failed_attempt: last,
  } = webhook;
  const name = webhookName(webhook, id);
  const base = { key: id, href: `webhooks/${id}` };
  if (reason !== null && reason !== 'manual')
    return [
      {
        ...base,
        mark: 'fail',
        title: `${name} is disabled`,
        detail: disabledBecause(webhook),
        since: disabled_at,
      },
    ];
  if (since !== null) {
    const said = last
      ? `${last.response_status ?? last.error_kind}: ${failureWords(last.response_status, last.error_kind)}.`
      : 'No attempt has succeeded.';
    return [{ ...base, mark: 'fail', title: `${name} is failing`, detail: said, since }];
  }
  if (did?.p95_ms != null && did.p95_ms > SLOW_MS)
    return [
      {
        ...base,
        mark: 'warn',
        title: `${name} responds slowly`,
        detail: `p95 is ${formatDuration(did.p95_ms)}.`,
        since: null,
      },
    ];
  return [];
}
