import { type RawBuilder, sql } from 'kysely';
import type { IdHex } from '../core/columns/columns.ts';

/** An ID as hexadecimal digits. */
export const hexOf = (column: string): RawBuilder<IdHex> => sql`encode(${sql.ref(column)}, 'hex')`;
