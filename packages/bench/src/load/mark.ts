/** The mark that the generator writes into each event, and that the receiver finds in the webhook call. */
export interface Mark {
  /** Counts the events of a run from 0. */
  sequence: number;
  /** The time at which the event was due to be sent, on the machine's clock. */
  sentAtUs: number;
}

const LABEL = Buffer.from('"mark":"');

/** Always of the same length, so that the length of a request is known in advance. */
export function encodeMark({ sequence, sentAtUs }: Mark): string {
  return `${String(sequence).padStart(9, '0')}.${String(sentAtUs).padStart(16, '0')}`;
}

/** The mark in a body, wherever it is; `undefined` for a body without one. */
export function findMark(body: Buffer): Mark | undefined {
  const label = body.indexOf(LABEL);
  if (label === -1) return undefined;
  const start = label + LABEL.length;
  return {
    sequence: Number(body.toString('latin1', start, start + 9)),
    sentAtUs: Number(body.toString('latin1', start + 10, start + 26)),
  };
}
