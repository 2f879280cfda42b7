import type { StatsWebhook, Webhook, WorkspaceStats } from '@hubline/sdk';
import { HealthStrip } from '../../components/chart/health-strip.tsx';
import { Mark } from '../../components/icons/mark.tsx';
import { Section } from '../../components/page/section.tsx';
import { markOf } from '../../components/text/status.tsx';
import { formatDuration, formatShare } from '../../data/formats/format-number.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { webhookName } from '../webhooks/webhook-name.tsx';
import { isLow, stateOf, stateWord } from '../webhooks/webhook-state.tsx';

interface OverviewWebhooksProps {
  readonly webhooks: readonly Webhook[] | undefined;
  readonly stats: WorkspaceStats | undefined;
}

interface Row {
  readonly webhook: Webhook;
  readonly did: StatsWebhook | undefined;
}

const SHOWN = 8;

/** The health of the webhooks over the window, those in trouble first. */
export function OverviewWebhooks({ webhooks, stats }: OverviewWebhooksProps) {
  const workspace = useWorkspace();
  const rows = webhooks && stats && rowsOf(webhooks, stats);
  if (!rows?.length) return null;
  return (
    <Section
      title="Webhook health"
      note={rows.length > SHOWN ? `${SHOWN} of ${rows.length}, problems first` : undefined}
      actions={
        <a class="link" href={workspace.href('webhooks')}>
          All webhooks
        </a>
      }
    >
      <div class="card heat">
        <div class="heat-row h" aria-hidden="true">
          <span>Webhook</span>
          <span />
          <span class="end">Success</span>
          <span class="end">p95</span>
        </div>
        {rows.slice(0, SHOWN).map(({ webhook, did }) => {
          const success = did && 1 - did.failure_rate;
          return (
            <a key={webhook.id} class="heat-row" href={workspace.href(`webhooks/${webhook.id}`)}>
              <span class="state">
                <Mark name={markOf(stateOf(webhook))} label={stateWord(webhook)} />
                <span class="strong clip">{webhookName(webhook, webhook.id)}</span>
              </span>
              <HealthStrip
                cells={did?.health ?? []}
                label={did ? `${did.failed} of ${did.attempts} attempts failed` : 'No attempts'}
              />
              <span class={success === undefined ? 'end faint' : isLow(success) ? 'end bad-t' : 'end'}>
                {success === undefined ? '–' : formatShare(success)}
              </span>
              <span class="end dim">{did?.p95_ms == null ? '–' : formatDuration(did.p95_ms)}</span>
            </a>
          );
        })}
      </div>
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
