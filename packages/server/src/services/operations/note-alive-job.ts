import { z } from 'zod';
import { writeMeta } from '../../db/meta.ts';
import { defineJob } from '../../jobs/job-kind.ts';
import { ALIVE_AT_META_KEY } from '../../jobs/note-alive.ts';

const EVERY_MS = 30_000;

/** Records every half minute that a server is running; one process does it for all. */
export const noteAliveJob = defineJob({
  name: 'note_alive',
  payload: z.object({}),
  everyMs: EVERY_MS,
  run: ({ store, clock }) => store.write((tx) => writeMeta(tx, ALIVE_AT_META_KEY, clock().toISOString())),
});
