/** A turn at a destination, or the delay before asking again. */
export type Turn = { granted: true } | { granted: false; waitMs: number };

interface Line {
  busy: boolean;
  /** Nothing is sent before this time: the destination has asked to be left alone, or has just failed. */
  closedUntil: number;
  /** The time at which the message that was last told to wait comes back. */
  next: number;
}

// Spaces waiting messages out, so that they come back one after the other.
const SPACING_MS = 250;

/**
 * Lets one message at a time through to each destination. A destination that hangs, or has asked to be left alone,
 * blocks no worker: further messages are put off.
 */
export class Turns {
  readonly #lines = new Map<string, Line>();

  enter(destination: string, now: number): Turn {
    const line = this.#lines.get(destination) ?? { busy: false, closedUntil: 0, next: 0 };
    this.#lines.set(destination, line);
    if (!line.busy && line.closedUntil <= now) {
      line.busy = true;
      return { granted: true };
    }
    line.next = Math.max(line.next + SPACING_MS, line.closedUntil, now + SPACING_MS);
    return { granted: false, waitMs: line.next - now };
  }

  /** Ends a turn. `closedUntil`: the time at which the destination may be used again; 0 for at once. */
  leave(destination: string, now: number, closedUntil: number): void {
    const line = this.#lines.get(destination);
    if (!line) return;
    line.busy = false;
    line.closedUntil = closedUntil;
    if (closedUntil <= now && line.next <= now) this.#lines.delete(destination);
  }
}
