import type { DeliveryRetryAll } from '@hubline/sdk';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { Loading } from '../../components/page/loading.tsx';
import { useWorkspace } from '../../session/workspace.ts';
import { useWebhooks } from '../webhooks/use-webhooks.ts';
import { DeliveryGroups } from './delivery-groups.tsx';
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
  return <DeliveryGroups {...failures.data} webhooks={webhooks ?? new Map()} onSent={failures.reload} />;
}
