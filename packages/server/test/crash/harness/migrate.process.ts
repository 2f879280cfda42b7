/**
 * The part of a server's start before it serves: backup, migration, master key.
 *
 *   node migrate.process.ts <MigrateInput as JSON>
 */
import { parseServerConfig } from '../../../src/config/config.ts';
import { openStorage } from '../../../src/start/storage/open-storage.ts';

/** The input of the process. */
export interface MigrateInput {
  data: string;
}

const { data } = JSON.parse(process.argv[2] ?? '') as MigrateInput;
const { store } = await openStorage(parseServerConfig({ data }, {}), new Date(), {
  upgrade: true,
});
await store.close();
process.disconnect();
