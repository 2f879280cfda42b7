import type { ListedEvent } from '@hubline/sdk';
import { Foreign } from '../../components/text/foreign.tsx';

export type DeliveryCounts = NonNullable<ListedEvent['deliveries']>;

/** Reports whether any of the deliveries is under way. */
export const isUnderWay = ({ pending = 0, retrying = 0 }: DeliveryCounts): boolean => pending + retrying > 0;

/** Reports whether a delivery that is not under way may still arrive: by a retry, or when its webhook is enabled. */
export const mayStillCome = ({ failed = 0, held = 0 }: DeliveryCounts): boolean => failed + held > 0;

/** The event in one line: what happened, then where and by whom. Texts from outside are isolated, so that their direction ends with them. */
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
