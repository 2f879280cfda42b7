import type { ListedEvent } from '@hubline/sdk';
import { Foreign } from '../../components/text/foreign.tsx';
import { Status } from '../../components/text/status.tsx';

export type DeliveryCounts = NonNullable<ListedEvent['deliveries']>;

/** States that need attention come first. */
const ORDER = ['failed', 'retrying', 'held', 'pending', 'delivered', 'cancelled'] as const;

/** The states of an event's deliveries; `undefined` for an event that has just come. */
export function DeliveryBadges({ counts }: { counts: DeliveryCounts | undefined }) {
  if (counts === undefined) return <span class="faint">…</span>;
  const present = ORDER.flatMap((status) => {
    const count = counts[status] ?? 0;
    return count > 0 ? [{ status, count }] : [];
  });
  if (present.length === 0) return <span class="faint">no webhook</span>;
  return (
    <span class="line wrapf">
      {present.map(({ status, count }) => (
        <Status key={status} status={status} label={count === 1 ? status : `${count} ${status}`} />
      ))}
    </span>
  );
}

/** Reports whether any of them is under way. */
export const isUnderWay = ({ pending = 0, retrying = 0 }: DeliveryCounts): boolean => pending + retrying > 0;

/** The event in one line. Texts of others are isolated: their direction ends where they end. */
export function EventLine({ event }: { event: ListedEvent }) {
  const { text, actor } = event.summary;
  const who = actor?.name ?? actor?.id;
  if (text === null) return <span class="faint">no summary</span>;
  return (
    <>
      <Foreign text={text} />
      {who != null && !text.includes(who) && (
        <span class="faint">
          {' '}
          by <Foreign text={who} />
        </span>
      )}
    </>
  );
}
