import { Mark } from '../../components/icons/mark.tsx';
import { markOf } from '../../components/text/status.tsx';
import { deliveryStatuses } from './delivery-statuses.ts';

interface StatusTabsProps {
  readonly value: string | undefined;
  readonly hrefOf: (status: string | undefined) => string;
}

/** The deliveries of each status as a tab. */
export function StatusTabs({ value, hrefOf }: StatusTabsProps) {
  return (
    <nav class="tabs" aria-label="Status">
      <a href={hrefOf(undefined)} aria-current={value === undefined ? 'true' : undefined}>
        All
      </a>
      {Object.entries(deliveryStatuses).map(([status, label]) => (
        <a key={status} href={hrefOf(status)} aria-current={value === status ? 'true' : undefined}>
          <Mark name={markOf(status)} />
          {label}
        </a>
      ))}
    </nav>
  );
}
