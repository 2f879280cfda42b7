import { LIMITS } from '@hubline/contract/constants';
import { type Hubline, isAPIError } from '@hubline/sdk';
import type { Context } from '../../context.ts';
import { CommandError } from '../../errors/errors.ts';
import { sampleEvents, type SeedPlan } from './plan.ts';

/** A workspace that was filled, or would be. */
export interface Seeded {
  /** `null` in a dry run. */
  readonly id: string | null;
  readonly slug: string;
  readonly members: number;
  readonly events: number;
}

/** Events in one request. The server takes more, but then the progress would stand still for long. */
const BATCH_EVENTS = 100;
/** Bytes of events in one request: the rest of a body is `{"events":[]}`. */
const BATCH_BYTES = LIMITS.bodyBytes - 64;

const taken = (slug: string): CommandError =>
  new CommandError(
    'conflict',
    `There is already a workspace ${slug}.`,
    'If it is yours: --reset deletes it first. Or name others in a plan.',
  );

/** Makes the workspaces of a plan, with all that is in them. A dry run only counts, because a list of the requests would fill screens. */
export async function* makeSeeds(
  ctx: Context,
  client: Hubline,
  { workspaces }: SeedPlan,
): AsyncGenerator<Seeded> {
  const { signal } = ctx;
  const total = workspaces.reduce(
    (sum, each) => sum + each.members.length + each.samples + each.events.length,
    0,
  );
  ctx.progress.start('Seeding', total);
  for (const { name, slug, members, samples, events } of workspaces) {
    if (ctx.globals.dryRun) {
      yield { id: null, slug, members: members.length, events: samples + events.length };
      continue;
    }
    const { id } = await client.workspaces.create({ name, slug }, { signal }).catch((error: unknown) => {
      throw isAPIError(error, 'conflict') ? taken(slug) : error;
    });
    for (const member of members) {
      await client.members.invite(id, member, { signal });
      ctx.progress.tick();
    }
    const all = [...events, ...(await sampleEvents(samples))];
    for (const batch of batchesOf(all)) {
      await client.events.publishBatch(id, { events: batch }, { signal });
      ctx.progress.tick(batch.length);
    }
    yield { id, slug, members: members.length, events: all.length };
  }
}

/** Splits events into batches that fit into a request. */
function* batchesOf<Item>(events: readonly Item[]): Generator<Item[]> {
  let [batch, bytes]: [Item[], number] = [[], 0];
  for (const event of events) {
    const size = Buffer.byteLength(JSON.stringify(event)) + 1;
    if (batch.length === BATCH_EVENTS || (batch.length > 0 && bytes + size > BATCH_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(event);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
