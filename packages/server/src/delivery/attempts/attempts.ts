import { chaos } from '#chaos';
import { TransientSet } from '../../collections/transient.ts';
import type { LeasedDelivery } from '../delivery-store.ts';
import type { EngineDeps, EngineParts } from '../engine-parts.ts';
import type { Moment, Scheduler } from '../scheduler/scheduler.ts';
import { keyOf } from '../scheduler/webhook-queue.ts';
import { type AttemptOptions, makeAttempt, type NoOutcome, type Outcome } from './make-attempt.ts';
import { Recorder } from './recorder.ts';

interface AttemptsParts extends Pick<EngineParts, 'owner' | 'track' | 'dispatch'>, AttemptOptions {
  scheduler: Pick<Scheduler, 'begin' | 'end' | 'noteRecorded' | 'expect' | 'release'>;
  store: EngineParts['store'];
  now: () => Moment;
}

// An attempt that failed on this machine is made again after this long, without counting against the receiver.
const OWN_FAILURE_DELAY_MS = 5_000;

/**
 * The attempts of this process. Each delivery goes through the same steps: call, free the permit, record the result or return the
 * delivery, and tell the scheduler when it is due again.
 */
export class Attempts {
  readonly #deps: EngineDeps;
  readonly #parts: AttemptsParts;
  readonly #recorder: Recorder;
  readonly #working = new TransientSet<LeasedDelivery>();
  #closed = false;

  constructor(deps: EngineDeps, parts: AttemptsParts) {
    this.#deps = deps;
    this.#parts = parts;
    this.#recorder = new Recorder(parts.store);
  }

  /** The deliveries that are being sent or recorded. */
  get working(): LeasedDelivery[] {
    return [...this.#working.values()];
  }

  /** Begins the attempt of a delivery that was granted a permit. Returns it if its lease may be lost by now, or after `close`. */
  begin(delivery: LeasedDelivery): void {
    const mayBegin = !this.#closed && delivery.lease.owner === this.#parts.owner();
    this.#parts.track(mayBegin ? this.#attempt(delivery) : this.#returnNow(delivery));
  }

  /** Lets attempts end, begins no new ones, and no longer waits for a database that cannot store their results. */
  close(): void {
    this.#closed = true;
    this.#recorder.stopRetrying();
  }

  async #attempt(delivery: LeasedDelivery): Promise<void> {
    const { scheduler, now, dispatch } = this.#parts;
    const running = scheduler.begin(keyOf(delivery.endpoint), delivery.part, now());
    this.#working.add(delivery);
    const outcome = await this.#call(delivery);
    // The receiver has done its part: the next call may go out while this one is being recorded. Only the time of the call counts, because
    // a large body may have waited seconds for memory before it.
    scheduler.end(running, isRecordable(outcome) ? outcome : null);
    dispatch();
    await this.#conclude(delivery, outcome);
    this.#working.delete(delivery);
    scheduler.noteRecorded(running);
    dispatch();
  }

  async #call(delivery: LeasedDelivery): Promise<Outcome | NoOutcome> {
    try {
      const outcome = await makeAttempt(this.#deps, this.#parts, delivery);
      chaos.reach('attempt.ended');
      return outcome;
    } catch (error) {
      this.#deps.log.error({ err: error, delivery_id: delivery.id }, 'unexpected error in an attempt');
      return 'failed';
    }
  }

  /** Records the attempt, or returns its delivery, and tells the scheduler when the delivery is due again. */
  async #conclude(delivery: LeasedDelivery, outcome: Outcome | NoOutcome): Promise<void> {
    const { scheduler } = this.#parts;
    const key = keyOf(delivery.endpoint);
    try {
      if (isRecordable(outcome)) {
        const due = await this.#recorder.record(delivery, outcome);
        if (due !== null) scheduler.expect(key, 'retry', due);
      } else scheduler.expect(key, delivery.part, await this.#returnUnrecorded(delivery, outcome));
    } catch (error) {
      // The lease ends by itself, and the delivery becomes due again.
      this.#deps.log.error({ err: error, delivery_id: delivery.id }, 'an attempt could not be recorded');
    }
  }

  /** Returns a delivery without a record of its attempt. Resolves to the time at which it is due again. */
  #returnUnrecorded(delivery: LeasedDelivery, outcome: Outcome | NoOutcome): Promise<number> {
    const { store } = this.#parts;
    // The next claim holds or cancels it.
    if (outcome === 'unwanted') return store.returnLater(delivery, 0);
    if (outcome === 'secret_unreadable') return store.returnUnsigned(delivery);
    if (outcome === 'interrupted') return store.returnInterrupted(delivery);
    return store.returnLater(delivery, this.#closed ? 0 : OWN_FAILURE_DELAY_MS);
  }

  /** Returns a delivery that was granted and has not begun. */
  async #returnNow(delivery: LeasedDelivery): Promise<void> {
    const { scheduler, store, dispatch } = this.#parts;
    const key = keyOf(delivery.endpoint);
    scheduler.release(key, delivery.part, 1);
    try {
      scheduler.expect(key, delivery.part, await store.returnLater(delivery, 0));
    } catch (error) {
      // As with an attempt that could not be recorded, the lease ends by itself.
      this.#deps.log.error({ err: error, delivery_id: delivery.id }, 'a delivery could not be returned');
    }
    dispatch();
  }
}

/** Reports whether an attempt says something about the receiver. */
const isRecordable = (outcome: Outcome | NoOutcome): outcome is Outcome =>
  typeof outcome !== 'string' && !outcome.localFailure;
