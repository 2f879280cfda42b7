/** Calls are sent from the main thread or from others: a title for each, and the value of `--senders`. */
export const SENDER_MODES = [
  ['on the main thread', 0],
  ['with one sender thread', 1],
] as const;
