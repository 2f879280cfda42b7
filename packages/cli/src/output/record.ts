import type { Style } from '../io.ts';
import { paintStatus } from './columns.ts';
import { cell, visible, visibleLines } from './escape.ts';
import { isTimeField, relativeTime } from './time.ts';
import { toText, valueAt } from './value.ts';

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

/** One thing for a pipe: name, tab, value. */
export function formatPairs(item: unknown, fields: readonly string[]): string {
  return fields
    .filter((field) => valueAt(item, field) !== undefined)
    .map((field) => `${field}\t${cell(toText(valueAt(item, field)))}\n`)
    .join('');
}

function isStructure(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((entry) => typeof entry === 'object');
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
