import type { ListedEvent } from '@hubline/sdk';
import { Foreign } from '../../components/text/foreign.tsx';

export type DeliveryCounts = NonNullable<ListedEvent['deliveries']>;

/** Reports whether any of them is under way. */
export const isUnderWay = ({ pending = 0, retrying = 0 }: DeliveryCounts): boolean => pending + retrying > 0;

/** Reports whether one has not arrived, and is not under way: a retry sends it, or a webhook that is enabled. */
export const mayStillCome = ({ failed = 0, held = 0 }: DeliveryCounts): boolean => failed + held > 0;

/** The event in one line: what happened, then where and by whom. Texts of others are isolated: their direction ends where they end. */
export function EventLine({ event: { summary } }: { event: ListedEvent }) {
  const { text, actor, container } = summary;
  if (text === null) return <span class="faint">no summary</span>;
  const more = [container?.name ?? container?.id, actor?.name ?? actor?.id].filter(
    (each): each is string => each != null && !text.includes(each),
  );
  return (
    <>
      <b>
        <Foreign text={text} />
      </b>
      {more.length > 0 && (
        <>
          {'\u2002'}
          <Foreign text={more.join(', ')} />
        </>
      )}
    </>
  );
}
