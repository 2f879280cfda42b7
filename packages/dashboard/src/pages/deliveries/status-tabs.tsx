import { Mark } from '../../components/icons/mark.tsx';
import { markOf } from '../../components/text/status.tsx';
import { deliveryStatuses } from './delivery-statuses.ts';

/** The statuses that have their own tab. */
const TABS = ['failed', 'retrying', 'pending', 'delivered', 'held', 'cancelled'] as const;

interface StatusTabsProps {
  readonly value: string | undefined;
  readonly hrefOf: (status: string | undefined) => string;
}

/** Deliveries by state. */
export function StatusTabs({ value, hrefOf }: StatusTabsProps) {
  return (
    <nav class="tabs" aria-label="Status">
      <a href={hrefOf(undefined)} {...(value === undefined && { 'aria-current': 'true' as const })}>
        All
      </a>
      {TABS.map((status) => (
        <a key={status} href={hrefOf(status)} {...(value === status && { 'aria-current': 'true' as const })}>
          <Mark name={markOf(status)} />
          {deliveryStatuses[status]}
        </a>
      ))}
    </nav>
  );
}
