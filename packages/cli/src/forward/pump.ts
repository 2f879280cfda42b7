import { CommandError } from '../errors.ts';
import type { ForwardedAttempt } from '../views/forwarded.ts';
import { atMost } from './at-most.ts';
import { Channel } from './channel.ts';
import type { Outgoing } from './envelope.ts';
import { forward, type Forwarding } from './forward.ts';
import { inOrder } from './in-order.ts';

/** Calls that are under way at the same time: a receiver that hangs must not hold up everything behind it. */
const CONCURRENCY = 8;

/** An event on its way. */
export type OutgoingEvent = Outgoing & { readonly eventId: string };

interface Pumping {
  readonly forwarding: Forwarding;
  /** Everything up to this event has been handled. */
  readonly handled: (eventId: string) => Promise<void>;
  readonly exitOnFail: boolean;
}

/** Forwards events as they come, several at a time, those that wait for their next attempt beside them; gives every attempt. */
export function pump(
  events: AsyncIterable<OutgoingEvent>,
  { forwarding, handled, exitOnFail }: Pumping,
): AsyncIterable<ForwardedAttempt> {
  const attempts = new Channel<ForwardedAttempt>();
  const limited = { ...forwarding, send: atMost(CONCURRENCY, forwarding.send) };
  const begin = inOrder(handled);

  async function forwardOne(event: OutgoingEvent, finish: () => Promise<void>): Promise<void> {
    let delivered = false;
    for await (const attempt of forward(event, limited)) {
      attempts.push(attempt);
      ({ delivered } = attempt);
    }
    if (forwarding.signal.aborted) return;
    await finish();
    if (!delivered && exitOnFail) {
      throw new CommandError('check_failed', `The last attempt for ${event.eventId} failed.`);
    }
  }

  async function forwardAll(): Promise<void> {
    const open = new Set<Promise<void>>();
    for await (const event of events) {
      const work = forwardOne(event, begin(event.eventId)).then(() => void open.delete(work));
      open.add(work);
      work.catch((error: Error) => attempts.end(error));
    }
    await Promise.all(open);
  }

  forwardAll().then(
    () => attempts.end(),
    (error: Error) => attempts.end(error),
  );
  return attempts;
}
