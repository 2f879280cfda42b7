import { prepared, preparedRow } from '../core/queries/prepared-query.ts';
import { type SeqRange, within } from '../core/queries/seq-range.ts';
import type { Db } from '../core/schema.ts';

const nth = preparedRow<{ workspace: number; before: number } & SeqRange, { seq: number }>((db, p, given) =>
  within(db.selectFrom('events').select('seq'), p, given)
    .where('workspace', '=', p('workspace'))
    .orderBy('seq', 'desc')
    .limit(1)
    .offset(p('before')),
);

const counted = prepared<{ workspace: number } & SeqRange, { count: number }>((db, p, given) =>
  within(
    db.selectFrom('events').select((eb) => eb.fn.countAll<number>().as('count')),
    p,
    given,
  ).where('workspace', '=', p('workspace')),
);

// Each takes a fraction of a millisecond for ten workspaces.
const ROUNDS = 10;

/**
 * The last event that a request looks at, of a list of several workspaces without an index for its filter; `null` if the list ends before
 * that. The request may look at `most` events in all. Each workspace gets an equal part of that; what some of them do not need is
 * divided among the others, until at least half of it is used.
 */
export async function lastEventLookedAt(
  db: Db,
  { workspaces, range, most }: { workspaces: readonly number[]; range: SeqRange; most: number },
): Promise<number | null> {
  let { below } = range;
  let left = most;
  let active = workspaces;
  let last: number | null = null;
  for (let round = 0; round < ROUNDS && left > most / 2; round += 1) {
    const share = Math.ceil(left / active.length);
    const stops: { workspace: number; seq: number }[] = [];
    for (const workspace of active) {
      const stop = await nth(db, { workspace, before: share - 1, above: range.above, below });
      if (stop) stops.push({ workspace, seq: stop.seq });
    }
    // The rest of each workspace is shorter than its part.
    if (stops.length === 0) return null;
    last = Math.max(...stops.map(({ seq }) => seq));
    for (const workspace of active) {
      const [found] = await counted(db, { workspace, above: last - 1, below });
      left -= found?.count ?? 0;
    }
    below = last;
    active = stops.map(({ workspace }) => workspace);
  }
  return last;
}
