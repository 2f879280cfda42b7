import type { FlagTable } from '../../spec/flag.ts';

/** Where a server keeps its data. Like all flags of a server they are given to it as they are: it checks them and has the defaults. */
export const STORAGE_FLAGS = {
  data: {
    type: 'text',
    value: 'dir',
    summary: 'Directory of the database and the master key (server default: ./hubline-data)',
  },
  'database-url': { type: 'text', value: 'url', summary: 'PostgreSQL instead of the embedded SQLite' },
} as const satisfies FlagTable;
