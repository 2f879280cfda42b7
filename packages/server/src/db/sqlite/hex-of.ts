import { type RawBuilder, sql } from 'kysely';
import type { IdHex } from '../core/columns/columns.ts';

/** An ID as hexadecimal digits; none for `null`. */
export const hexOf = (column: string): RawBuilder<IdHex> => sql`hex(${sql.ref(column)})`;
