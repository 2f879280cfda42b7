import type { Style } from '../io.ts';
import { view } from '../spec/view.ts';
import { type ForwardedAttempt, forwardedLine, forwardedView } from './forwarded.ts';

/** What `hubline trigger` did: an event that was published, or an attempt to hand a delivery over. */
export type Triggered = Partial<ForwardedAttempt> & Pick<ForwardedAttempt, 'type' | 'event_id'>;

export const triggeredView = view<Triggered>()({
  noun: ['event', 'events'],
  fields: forwardedView.fields,
  columns: forwardedView.columns,
  id: 'event_id',
});

/** One line for people. */
export function triggeredLine(item: Triggered, style: Style): string {
  if (item.delivery_id === undefined) return `${style.green('✓')} Published ${item.type} (${item.event_id})`;
  return forwardedLine(item as ForwardedAttempt, style);
}
