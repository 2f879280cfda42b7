import type { DeliveryRetryAll } from '@hubline/sdk';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { Loading } from '../../components/page/loading.tsx';
import { useWorkspace } from '../../session/workspace.ts';
import { useWebhooks } from '../webhooks/use-webhooks.ts';
import { DeliveryGroups } from './delivery-groups.tsx';
import { groupFailures } from './group-failures.ts';
import { useFailures } from './use-failures.ts';

interface FailuresByCauseProps {
  readonly filters: () => Omit<DeliveryRetryAll, 'statuses'>;
  /** Changes with the filters. */
  readonly filterKey: string;
}

/** Failures, folded by what the other side said. */
export function FailuresByCause({ filters, filterKey }: FailuresByCauseProps) {
  const failures = useFailures(filters, filterKey);
  const webhooks = useWebhooks(useWorkspace().id);
  if (failures.error !== undefined) return <ErrorPanel error={failures.error} retry={failures.reload} />;
  if (!failures.data) return <Loading />;
  const { items, complete } = failures.data;
  const groups = groupFailures(items);
  if (groups.length === 0)
    return <EmptyState title="Nothing fails">No delivery here failed or waits for a retry.</EmptyState>;
  return (
    <DeliveryGroups
      groups={groups}
      noun="Deliveries"
      complete={complete}
      webhooks={webhooks ?? new Map()}
      onSent={failures.reload}
    />
  );
}
