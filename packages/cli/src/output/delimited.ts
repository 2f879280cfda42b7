import { cell, visible, visibleDocument } from './escape.ts';
import type { ResolvedColumn } from './columns.ts';
import { toText, valueAt } from './value.ts';

/** Whether the rows are for a terminal: there, what would act on it is shown as an escape. A program gets every byte. */
interface Reader {
  readonly tty: boolean;
}

/** A row of tab-separated values: full values, no header, for `cut` and `awk`. */
export function tsvRow(item: unknown, columns: readonly ResolvedColumn[], { tty }: Reader): string {
  const values = columns.map(({ path, text }) => cell(text(valueAt(item, path))));
  return `${(tty ? values.map(visible) : values).join('\t')}\n`;
}

/** The header of a CSV document: field names, as in JSON. */
export function csvHeader(columns: readonly ResolvedColumn[]): string {
  return `${columns.map(({ path }) => quote(path)).join(',')}\r\n`;
}

/** A row of CSV (RFC 4180). */
export function csvRow(item: unknown, columns: readonly ResolvedColumn[], { tty }: Reader): string {
  const values = columns.map(({ path }) => quote(harmless(valueAt(item, path))));
  return `${(tty ? values.map(visibleDocument) : values).join(',')}\r\n`;
}

/** Spreadsheets run text that begins like a formula; a quote in front keeps it text (OWASP, "CSV Injection"). */
function harmless(value: unknown): string {
  const text = toText(value);
  return typeof value !== 'number' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
