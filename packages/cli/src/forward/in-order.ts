/**
 * Tells how far a list of tasks is done without a gap, whatever the order in which they end: what is behind the first unfinished one
 * would be lost if one resumed after it.
 */
export function inOrder(done: (id: string) => Promise<void>): (id: string) => () => Promise<void> {
  const open: { id: string; finished: boolean }[] = [];
  return (id) => {
    const entry = { id, finished: false };
    open.push(entry);
    return async () => {
      entry.finished = true;
      let last: string | undefined;
      while (open[0]?.finished) last = open.shift()?.id;
      if (last !== undefined) await done(last);
    };
  };
}
