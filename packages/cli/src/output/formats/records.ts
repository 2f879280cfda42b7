import type { Style } from '../../terminal/io.ts';
import { cell, visible, visibleDocument, visibleLines } from '../../terminal/text.ts';
import { paintStatus, type ResolvedColumn } from './columns.ts';
import { toText, valueAt } from '../fields.ts';
import { isTimeField, relativeTime } from '../time.ts';

/** One thing for people: a field per line, structure below its name as indented JSON. */
export function formatRecord(
  item: unknown,
  { fields, now, style }: { fields: readonly string[]; now: number; style: Style },
): string {
  const shown = fields.filter((field) => valueAt(item, field) !== undefined);
  const width = Math.max(0, ...shown.map((field) => field.length));
  return shown
    .map((field) => {
      const value = valueAt(item, field);
      const label = style.dim(field.padEnd(width));
      if (isStructure(value)) {
        const json = visibleLines(JSON.stringify(value, null, 2)).replaceAll('\n', '\n  ');
        return `${label}\n  ${json}\n`;
      }
      const text = visible(toText(value)) || '-';
      if (typeof value === 'string' && isTimeField(field)) {
        return `${label}  ${text} ${style.dim(`(${relativeTime(value, now)})`)}\n`;
      }
      return `${label}  ${field === 'status' ? paintStatus(text, style) : text}\n`;
    })
    .join('');
}

/** One thing for a pipe: name, tab, value. A field of `spread` has a line for each of its parts, named by its dotted path. */
export function formatPairs(
  item: unknown,
  { fields, spread }: { fields: readonly string[]; spread: readonly string[] },
): string {
  return fields
    .flatMap((field) => {
      const value = valueAt(item, field);
      if (value === undefined) return [];
      return spread.includes(field) ? leavesOf(field, value) : [[field, value] as const];
    })
    .map(([name, value]) => `${name}\t${cell(toText(value))}\n`)
    .join('');
}

function leavesOf(name: string, value: unknown): (readonly [name: string, value: unknown])[] {
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (parts.length === 0) return [[name, Array.isArray(value) ? null : value]];
  return parts.flatMap(([key, part]) => leavesOf(`${name}.${key}`, part));
}

function isStructure(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((entry) => typeof entry === 'object');
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/**
 * The reader of the rows. On a terminal, characters that would act on it are shown as escapes. A program gets every byte.
 */
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
