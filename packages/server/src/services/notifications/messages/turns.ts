/** A turn at a destination, or the wait before asking again. */
export type Turn = { granted: true } | { granted: false; waitMs: number };

interface Line {
  busy: boolean;
  /** Nothing is sent before this time: the destination has asked to be left alone, or has just failed. */
  closedUntil: number;
  /** The time at which the next message that has to wait should come back. */
  next: number;
}

// So that messages that wait come back one after the other.
const SPACING_MS = 250;

/**
 * Lets one message at a time through to each destination. A destination that hangs, or has asked to be left alone, blocks no worker:
 * further messages are told when to come back.
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

  /** Ends a turn. `closedUntil`: when the destination may be used again; 0 for at once. */
  leave(destination: string, now: number, closedUntil: number): void {
    const line = this.#lines.get(destination);
    if (!line) return;
    line.busy = false;
    line.closedUntil = closedUntil;
    if (closedUntil <= now && line.next <= now) this.#lines.delete(destination);
  }
}
