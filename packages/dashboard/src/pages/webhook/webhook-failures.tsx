import type { WebhookStats } from '@hubline/sdk';
import { Section } from '../../components/page/section.tsx';
import { formatMany } from '../../data/formats/format-number.ts';
import { DeliveryGroups } from '../deliveries/causes/delivery-groups.tsx';
import { retryNote } from '../deliveries/retry/retry-group.tsx';

interface WebhookFailuresProps {
  readonly stats: WebhookStats;
  readonly onSent: () => void;
}

/** The causes of a webhook's failures, each with a retry for all its deliveries; nothing if nothing failed. */
export function WebhookFailures({ stats: { webhook_id, failures }, onSent }: WebhookFailuresProps) {
  if (failures.length === 0) return null;
  return (
    <Section
      title="Why attempts failed"
      note={formatMany(failures.length, ['cause', 'causes'])}
      description={retryNote()}
    >
      <div class="card over">
        <DeliveryGroups failures={failures.map((failure) => ({ ...failure, webhook_id }))} onSent={onSent} />
      </div>
    </Section>
  );
}
