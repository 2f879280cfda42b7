import type { StatsWebhook, Webhook, WorkspaceStats } from '@hubline/sdk';
import { Section } from '../../components/page/section.tsx';
import { Table } from '../../components/page/table.tsx';
import { formatCount, formatDuration, formatShare } from '../../data/format-number.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { WebhookState } from '../webhooks/webhook-state.tsx';

interface OverviewWebhooksProps {
  readonly webhooks: readonly Webhook[] | undefined;
  readonly stats: WorkspaceStats | undefined;
}

interface Row {
  readonly webhook: Webhook;
  readonly did: StatsWebhook | undefined;
}

const SHOWN = 10;

/** The webhooks, those in trouble first: what is disabled by itself, then what fails most. */
export function OverviewWebhooks({ webhooks, stats }: OverviewWebhooksProps) {
  const workspace = useWorkspace();
  const rows = webhooks && stats && rowsOf(webhooks, stats);
  if (rows?.length === 0) return null;
  return (
    <Section
      title="Webhooks"
      actions={
        <a href={workspace.href('webhooks')}>
          {(rows?.length ?? 0) > SHOWN ? `All ${formatCount(rows?.length ?? 0)} webhooks` : 'All webhooks'}
        </a>
      }
    >
      <Table
        caption="Webhooks, problems first"
        items={rows?.slice(0, SHOWN)}
        rowKey={({ webhook }) => webhook.id}
        href={({ webhook }) => workspace.href(`webhooks/${webhook.id}`)}
        columns={[
          {
            label: 'URL',
            grow: true,
            cell: ({ webhook }) => (
              <span class="mono clamp" data-lines="1" title={webhook.url}>
                {webhook.url}
              </span>
            ),
          },
          { label: 'Status', cell: ({ webhook }) => <WebhookState webhook={webhook} /> },
          { label: 'Attempts', align: 'end', cell: ({ did }) => formatCount(did?.attempts ?? 0) },
          {
            label: 'Failed attempts',
            align: 'end',
            cell: ({ did }) =>
              did && did.failed > 0 ? (
                <span class="bad-t">{formatShare(did.failure_rate)}</span>
              ) : (
                did && formatShare(0)
              ),
          },
          {
            label: 'p50',
            align: 'end',
            cell: ({ did }) => did?.p50_ms != null && formatDuration(did.p50_ms),
          },
          {
            label: 'p95',
            align: 'end',
            cell: ({ did }) => did?.p95_ms != null && formatDuration(did.p95_ms),
          },
        ]}
        empty={null}
      />
    </Section>
  );
}

function rowsOf(webhooks: readonly Webhook[], stats: WorkspaceStats): readonly Row[] {
  const did = new Map(stats.webhooks.map((each) => [each.webhook_id, each]));
  return webhooks
    .map((webhook) => ({ webhook, did: did.get(webhook.id) }))
    .toSorted((a, b) => trouble(b) - trouble(a) || (b.did?.attempts ?? 0) - (a.did?.attempts ?? 0));
}

/** The urgency of a webhook, for sorting. */
function trouble({ webhook, did }: Row): number {
  if (webhook.disabled_reason !== null && webhook.disabled_reason !== 'manual') return Infinity;
  return did?.failed ?? 0;
}
