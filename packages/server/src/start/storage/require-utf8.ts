import { ConfigError } from '../../config/config.ts';
import { DATABASE_FLAG } from '../../config/database-url.ts';
import type { Store } from '../../db/core/store.ts';
import { encodingOf } from '../../db/postgres/encoding.ts';

/** Refuses a PostgreSQL database that cannot store every text: events with other characters would fail. Throws `ConfigError`. */
export async function requireUtf8({ read }: Store): Promise<void> {
  const encoding = await encodingOf(read);
  if (encoding === 'UTF8') return;
  throw new ConfigError(
    `The database of ${DATABASE_FLAG} has the encoding ${encoding}, which cannot store every text. ` +
      `Create one for it that can: create database hubline encoding 'UTF8' template template0`,
  );
}
