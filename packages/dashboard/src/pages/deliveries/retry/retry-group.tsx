import { LIMITS } from '@hubline/contract/constants';
import type { DeliveryRetryAll, StatsWebhookFailure } from '@hubline/sdk';
import { client } from '../../../api/client.ts';
import { formatCount } from '../../../data/formats/format-number.ts';
import { useRefreshed } from '../../../data/queries/use-refreshed.ts';
import { useWorkspace } from '../../../session/workspace.ts';
import { asErrorKind } from '../delivery-statuses.ts';
import { RetryAll } from './retry-all.tsx';

/**
 * Explains what the buttons retry: deliveries, not the attempts that are counted beside them. A function, because the build
 * repeats a constant wherever it is used.
 */
export const retryNote = () =>
  'Retry sends every failed or retrying delivery whose last attempt ended this way, older ones too. Its number counts deliveries, not attempts.';

const REFRESH_MS = 15_000;
const STATUSES = ['failed', 'retrying'] as const;

interface RetryGroupProps {
  readonly failure: StatsWebhookFailure;
  /** The webhook, in words. */
  readonly name: string;
  readonly onSent: () => void;
}

/** One retry for all deliveries to a webhook that ended in one way, with their number. */
export function RetryGroup({ failure, name, onSent }: RetryGroupProps) {
  const { webhook_id, response_status: status, error_kind: error } = failure;
  const { id } = useWorkspace();
  const cause = {
    webhook_id,
    response_status: status ?? undefined,
    error_kind: asErrorKind(error ?? undefined),
  };
  const counted = useRefreshed(
    (signal) => count(id, cause, signal),
    ['deliveries', id, 'group', webhook_id, status, error],
    { everyMs: REFRESH_MS },
  );
  return (
    <RetryAll
      size="small"
      label={counted.data === '0' ? null : `Retry ${counted.data ?? ''}`.trim()}
      filters={() => ({ ...cause, statuses: [...STATUSES] })}
      about={`to ${name} whose last attempt ended with ${status ?? error}`}
      onSent={() => {
        counted.reload();
        onSent();
      }}
    />
  );
}

/** `12`, or `100+`: one page of each status is enough, because the button asks first, and then counts further. */
async function count(
  workspaceId: string,
  cause: Omit<DeliveryRetryAll, 'statuses'>,
  signal: AbortSignal,
): Promise<string> {
  const pages = await Promise.all(
    STATUSES.map((status) =>
      client.deliveries.list(workspaceId, { ...cause, status, limit: LIMITS.pageMax }, { signal }),
    ),
  );
  // Test calls are never part of a recovery.
  const many = pages.flatMap(({ data }) => data).filter(({ trigger }) => trigger !== 'test').length;
  const isMore = pages.some(({ nextCursor }) => nextCursor !== null);
  return isMore && many === 0 ? '' : formatCount(many) + (isMore ? '+' : '');
}
