import type { Webhook } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { Section } from '../../components/page/section.tsx';
import { ResponseCode } from '../../components/text/response-code.tsx';
import { Time } from '../../components/text/time.tsx';
import { useRefreshed } from '../../data/queries/use-refreshed.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { webhookName } from '../webhooks/webhook-name.tsx';

const SHOWN = 5;
const REFRESH_MS = 15_000;

/** The deliveries that failed last, if any did. */
export function OverviewFailures({ webhooks }: { webhooks: readonly Webhook[] | undefined }) {
  const workspace = useWorkspace();
  const failed = useRefreshed(
    (signal) => client.deliveries.list(workspace.id, { status: 'failed', limit: SHOWN }, { signal }),
    ['deliveries', workspace.id, 'failed', SHOWN],
    { everyMs: REFRESH_MS },
  );
  if (failed.error !== undefined) return <ErrorPanel of={failed} />;
  if (!failed.data?.data.length) return null;
  return (
    <Section
      title="Latest failed deliveries"
      actions={
        <a class="link" href={workspace.href('deliveries?status=failed')}>
          All failed
        </a>
      }
    >
      <div class="rows">
        {failed.data.data.map(
          ({ id, webhook_id, webhook_url, event_name, event_type, last_attempt: last, ...rest }) => (
            <a key={id} href={workspace.href(`deliveries/${id}`)}>
              <ResponseCode status={last?.response_status ?? null} error={last?.error_kind} />
              <span class="mono clip">{event_name ?? event_type}</span>
              <span class="faint clip grow">
                {webhookName(
                  webhooks?.find((each) => each.id === webhook_id),
                  webhook_url ?? webhook_id,
                )}
              </span>
              <span class="r-end">
                <Time value={rest.completed_at ?? rest.created_at} />
              </span>
            </a>
          ),
        )}
      </div>
    </Section>
  );
}
