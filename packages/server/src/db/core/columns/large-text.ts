import { sql } from 'kysely';

/**
 * A text of up to this many bytes is read with its row. Of a larger one only the length is read, which both
 * databases know without reading the text. So a page of 100 rows takes 6.25 MiB at most.
 */
export const READ_WITH_ROW_BYTES = 64 * 1024;

/** The length of a text in bytes. */
export const lengthOf = (column: string) => sql<number>`octet_length(${sql.ref(column)})`;

/** A text; `null` where it is too large to be read with its row. */
export const ifShort = (column: string) =>
  sql<
    string | null
  >`case when ${lengthOf(column)} <= ${sql.lit(READ_WITH_ROW_BYTES)} then ${sql.ref(column)} end`;

/** The bytes that `Statements.bytesIn` has read. */
export const toBytes = (text: Buffer | string): Buffer =>
  typeof text === 'string' ? Buffer.from(text) : text;
