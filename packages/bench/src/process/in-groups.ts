const UNDER_WAY = 16;

/** Calls `work` for every item, a few at a time. */
export async function inGroups<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const queue = [...items];
  const slot = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: UNDER_WAY }, slot));
}
