/** A turn at a destination, or how long to wait before asking again. */
export type Turn = { granted: true } | { granted: false; waitMs: number };

interface Line {
  busy: boolean;
  /** Nothing is sent before: it has asked to be left alone, or has just failed. */
  closedUntil: number;
  /** The time that the next one who has to wait is given. */
  next: number;
}

// Those who wait come back one after the other, and not together.
const SPACING_MS = 250;

/**
 * One message at a time for each destination. One that hangs, or has asked to be left alone, keeps no worker from the others: whoever
 * comes meanwhile is given a time to come back.
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

  /** Ends a turn. `closedUntil`: nothing is to be sent there before; 0 for now. */
  leave(destination: string, now: number, closedUntil: number): void {
    const line = this.#lines.get(destination);
    if (!line) return;
    line.busy = false;
    line.closedUntil = closedUntil;
    if (closedUntil <= now && line.next <= now) this.#lines.delete(destination);
  }
}
