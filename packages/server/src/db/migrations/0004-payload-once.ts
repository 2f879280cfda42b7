import type { Migration } from '../migrate.ts';

/** Bodies of deliveries without the payload of their event. Those that are there stay whole. */
export const payloadOnce: Migration = {
  name: '0004-payload-once',
  async up(tx) {
    await tx.schema.alterTable('delivery_bodies').addColumn('after_payload', 'text').execute();
  },
};
