import type { StatsWebhook, Webhook } from '@hubline/sdk';
import { useLocation } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { whoMay } from '../../api/permissions.ts';
import { Button } from '../../components/controls/button.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { LoadMore } from '../../components/page/load-more.tsx';
import { Page } from '../../components/page/page.tsx';
import { Table } from '../../components/page/table.tsx';
import { TimeAgo } from '../../components/text/time-ago.tsx';
import { toast } from '../../components/dialogs/toast.tsx';
import { formatCount, formatMany } from '../../data/format-number.ts';
import { useFilters } from '../../data/use-filters.ts';
import { countNote, usePages } from '../../data/use-pages.ts';
import { useQuery } from '../../data/use-query.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { WebhookCreate } from './webhook-create.tsx';
import { hostOf, WebhookState } from './webhook-state.tsx';

export function WebhooksPage() {
  const workspace = useWorkspace();
  const { route } = useLocation();
  // In the address, so that other pages can lead to it.
  const dialog = useFilters(['new']);
  const webhooks = usePages(
    (signal) => client.webhooks.list({ workspace_id: workspace.id, limit: 50 }, { signal }),
    [workspace.id],
  );
  const stats = useQuery(
    (signal) => client.workspaces.stats(workspace.id, { window: '24h' }, { signal }),
    [workspace.id],
  );
  const mayManage = workspace.can('manage_webhooks');

  const create = (
    <Button
      kind="primary"
      icon="plus"
      blocked={mayManage ? undefined : whoMay('manage_webhooks')}
      onClick={() => dialog.set({ new: '1' })}
    >
      Create a webhook
    </Button>
  );
  return (
    <Page title="Webhooks" note={countNote(webhooks)} actions={create}>
      <Table
        caption="Webhooks"
        items={webhooks.items}
        rowKey={({ id }) => id}
        href={({ id }) => workspace.href(`webhooks/${id}`)}
        columns={[
          { label: 'URL', grow: true, cell: (webhook) => <WebhookName webhook={webhook} /> },
          { label: 'Events', cell: (webhook) => <Events webhook={webhook} /> },
          { label: 'Status', cell: (webhook) => <WebhookState webhook={webhook} /> },
          {
            label: 'Last 24 hours',
            cell: ({ id }) => stats.data && <Day of={stats.data.webhooks} id={id} />,
          },
          {
            label: 'Last failed attempt',
            cell: ({ last_failed_attempt: failure }) =>
              failure === null ? (
                <span class="faint">none</span>
              ) : (
                <span class="two-lines nowrap">
                  <TimeAgo value={failure.at} />
                  <small>{failure.response_status ?? failure.error_kind}</small>
                </span>
              ),
          },
          { label: 'Created', cell: ({ created_at }) => <TimeAgo value={created_at} /> },
        ]}
        empty={
          <EmptyState title="No webhooks yet" {...(mayManage && { action: create })} samples={SAMPLES}>
            A webhook sends every event to your URL within milliseconds. Failed deliveries are retried, and
            each attempt is kept with its request and response.
          </EmptyState>
        }
      />
      <LoadMore pages={webhooks} noun={['webhook', 'webhooks']} />
      {stats.error !== undefined && <ErrorPanel error={stats.error} retry={stats.reload} />}
      <WebhookCreate
        open={mayManage && dialog.values.new !== undefined}
        onClose={dialog.clear}
        onCreated={(webhook) => {
          toast(`The webhook for ${hostOf(webhook.url)} is created.`);
          route(workspace.href(`webhooks/${webhook.id}`));
        }}
      />
    </Page>
  );
}

const SAMPLES = {
  'command line': `hubline webhook create --generate-secret \\
  --url https://app.example.com/hooks/hubline \\
  --trigger '*'`,
};

function WebhookName({ webhook: { url, description } }: { webhook: Webhook }) {
  return (
    <span class="two-lines">
      <span class="mono clamp" title={url}>
        {url}
      </span>
      {description && (
        <small class="clamp" data-lines="1">
          <Foreign text={description} />
        </small>
      )}
    </span>
  );
}

function Events({ webhook: { events, filters } }: { webhook: Webhook }) {
  const narrowed = Object.values(filters ?? {}).flat().length;
  return (
    <span class="two-lines nowrap">
      {events.includes('*') ? 'everything' : events.map((name) => <span key={name}>{name}</span>)}
      {narrowed > 0 && <small>{formatMany(narrowed, ['filter', 'filters'])}</small>}
    </span>
  );
}

function Day({ of, id }: { of: readonly StatsWebhook[]; id: string }) {
  const own = of.find(({ webhook_id }) => webhook_id === id);
  if (own === undefined) return <span class="faint nowrap">no attempts</span>;
  const attempts = formatMany(own.attempts, ['attempt', 'attempts']);
  if (own.failed === 0) return <span class="nowrap">{attempts}</span>;
  return (
    <span class="two-lines nowrap">
      <span>{attempts}</span>
      <small class="bad-t">{formatCount(own.failed)} failed</small>
    </span>
  );
}
