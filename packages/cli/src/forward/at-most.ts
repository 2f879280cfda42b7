import type { Send } from './answer.ts';

/** A sender that has at most so many calls under way; the others wait for their turn. */
export function atMost(count: number, send: Send): Send {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return async (...call) => {
    // Whoever ends hands its place to the first in the queue.
    if (busy >= count) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy += 1;
    try {
      return await send(...call);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  };
}
