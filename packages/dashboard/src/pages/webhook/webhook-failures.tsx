import type { Webhook } from '@hubline/sdk';
import { Section } from '../../components/page/section.tsx';
import { groupFailures } from '../deliveries/group-failures.ts';
import { DeliveryGroups } from '../deliveries/delivery-groups.tsx';
import { useFailures } from '../deliveries/use-failures.ts';
import { formatMany } from '../../data/format-number.ts';

/** The causes of its failures, each with a retry for all of them; nothing where nothing fails. */
export function WebhookFailures({ webhook: { id, status }, round }: { webhook: Webhook; round: number }) {
  const failures = useFailures(() => ({ webhook_id: id }), `${id} ${status} ${round}`);
  const causes = groupFailures(failures.data?.items ?? []).length;
  if (!failures.data || causes === 0) return null;
  return (
    <Section title="Why it fails" note={formatMany(causes, ['cause', 'causes'])}>
      <div class="card over">
        <DeliveryGroups {...failures.data} onSent={failures.reload} />
      </div>
    </Section>
  );
}
