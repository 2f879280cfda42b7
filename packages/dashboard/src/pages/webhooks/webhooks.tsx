import { useLocation } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { LoadMore } from '../../components/page/load-more.tsx';
import { Page } from '../../components/page/page.tsx';
import { Table } from '../../components/page/table.tsx';
import { Time } from '../../components/text/time.tsx';
import { ResponseCode } from '../../components/text/response-code.tsx';
import { listenSample } from '../../components/code/command-samples.ts';
import { markOf } from '../../components/text/status.tsx';
import { Mark } from '../../components/icons/mark.tsx';
import { HealthStrip } from '../../components/chart/health-strip.tsx';
import { toast } from '../../components/dialogs/toast.tsx';
import { formatDuration, formatShare } from '../../data/formats/format-number.ts';
import { useFilters } from '../../data/address/use-filters.ts';
import { countNote, usePages } from '../../data/queries/use-pages.ts';
import { useQuery } from '../../data/queries/use-query.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { WebhookCreate } from './webhook-create.tsx';
import { webhookName } from './webhook-name.tsx';
import { isLow, stateOf, stateWord } from './webhook-state.tsx';

export function WebhooksPage() {
  const workspace = useWorkspace();
  const { route } = useLocation();
  // In the address, so that other pages can lead to it.
  const dialog = useFilters(['new']);
  const webhooks = usePages(
    (signal) => client.webhooks.list({ workspace_id: workspace.id, limit: 50 }, { signal }),
    ['webhooks', workspace.id, 'list'],
  );
  const stats = useQuery(
    (signal) => client.workspaces.stats(workspace.id, { window: '24h' }, { signal }),
    ['stats', workspace.id, '24h'],
  );
  const didOf = (id: string) => stats.data?.webhooks.find(({ webhook_id }) => webhook_id === id);
  const refusal = workspace.refusal('manage_webhooks');

  const create = (
    <Button kind="primary" icon="plus" blocked={refusal} onClick={() => dialog.set({ new: '1' })}>
      New webhook
    </Button>
  );
  return (
    <Page title="Webhooks" note={countNote(webhooks)} actions={create}>
      <Table
        caption="Webhooks"
        items={webhooks.items}
        rowKey={({ id }) => id}
        href={({ id }) => workspace.href(`webhooks/${id}`)}
        muted={({ status }) => status === 'disabled'}
        columns={[
          {
            label: 'Webhook',
            grow: true,
            cell: (webhook) => (
              <span class="state">
                <Mark name={markOf(stateOf(webhook))} />
                <span class="strong clip">{webhookName(webhook, webhook.id)}</span>
              </span>
            ),
          },
          {
            label: 'URL',
            grow: true,
            hideWhenNarrow: 'second',
            cell: ({ url }) => (
              <span class="mono faint" title={url}>
                <Foreign text={url} />
              </span>
            ),
          },
          { label: 'Status', cell: (webhook) => stateWord(webhook) },
          {
            label: 'Last 24 hours',
            hideWhenNarrow: 'first',
            cell: ({ id }) => {
              const did = didOf(id);
              return (
                did && (
                  <span class="health-cell">
                    <HealthStrip
                      cells={did.health}
                      label={`${did.failed} of ${did.attempts} attempts failed`}
                    />
                  </span>
                )
              );
            },
          },
          {
            label: 'Success',
            align: 'end',
            cell: ({ id }) => {
              const did = didOf(id);
              if (!did) return <span class="faint">–</span>;
              const success = 1 - did.failure_rate;
              return <span class={isLow(success) ? 'bad-t' : undefined}>{formatShare(success)}</span>;
            },
          },
          {
            label: 'p95',
            align: 'end',
            hideWhenNarrow: 'first',
            cell: ({ id }) => {
              const ms = didOf(id)?.p95_ms;
              return ms == null ? <span class="faint">–</span> : formatDuration(ms);
            },
          },
          {
            label: 'Last failure',
            align: 'end',
            cell: ({ last_failed_attempt: failure }) =>
              failure === null ? (
                <span class="faint">none</span>
              ) : (
                <span class="line">
                  <ResponseCode status={failure.response_status} error={failure.error_kind} />
                  <Time value={failure.at} />
                </span>
              ),
          },
        ]}
        empty={
          <EmptyState
            title="No webhooks yet"
            action={refusal ? undefined : create}
            samples={listenSample(workspace.slug)}
          >
            Hubline calls your URL for each event, signs the call and retries when it fails. While you write
            the receiver, this sends the events to your machine.
          </EmptyState>
        }
      />
      <LoadMore pages={webhooks} />
      <ErrorPanel of={stats} />
      <WebhookCreate
        open={!refusal && dialog.values.new !== undefined}
        onClose={dialog.clear}
        onCreated={(webhook) => {
          toast(`Created ${webhookName(webhook, webhook.id)}.`);
          route(workspace.href(`webhooks/${webhook.id}`));
        }}
      />
    </Page>
  );
}
