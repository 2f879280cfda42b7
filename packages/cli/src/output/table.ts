import stringWidth from 'string-width';
import type { Style } from '../io.ts';
import { humanText, paintStatus, type ResolvedColumn } from './columns.ts';

interface TableOptions {
  readonly columns: readonly ResolvedColumn[];
  /** Columns of the terminal. */
  readonly width: number;
  readonly now: number;
  readonly style: Style;
}

const GAP = 2;
const NARROWEST = 8;

/** Rows under headers, as wide as their content; when that is wider than the terminal, flexible columns give way. */
export function formatTable(items: readonly unknown[], options: TableOptions): string {
  const rows = items.map((item) => cells(item, options));
  const widths = fit([headers(options), ...rows], options);
  return [headerLine(widths, options), ...rows.map((row) => bodyLine(row, widths, options))].join('');
}

/** A table whose rows come one at a time: its columns grow with what has been seen. */
export function growingTable(options: TableOptions): (item: unknown) => string {
  const seen = [headers(options)];
  return (item) => {
    const row = cells(item, options);
    const header = seen.length === 1 ? headerLine(fit([...seen, row], options), options) : '';
    // One remembered row holds the widest cell of each column.
    const widest = row.map((text, index) => {
      const before = seen[1]?.[index] ?? '';
      return stringWidth(text) > stringWidth(before) ? text : before;
    });
    seen[1] = widest;
    return header + bodyLine(row, fit(seen, options), options);
  };
}

const headers = ({ columns }: TableOptions): string[] => columns.map(({ header }) => header);

const cells = (item: unknown, { columns, now }: TableOptions): string[] =>
  columns.map((column) => humanText(item, column, now));

function headerLine(widths: readonly number[], options: TableOptions): string {
  return `${options.style.dim(join(headers(options), widths))}\n`;
}

function bodyLine(
  row: readonly string[],
  widths: readonly number[],
  { columns, style }: TableOptions,
): string {
  const painted = row.map((text, index) => {
    const padded = pad(text, widths[index] ?? 0);
    return columns[index]?.path === 'status' ? paintStatus(padded, style) : padded;
  });
  return `${painted.join(' '.repeat(GAP)).trimEnd()}\n`;
}

const join = (row: readonly string[], widths: readonly number[]): string =>
  row
    .map((text, index) => pad(text, widths[index] ?? 0))
    .join(' '.repeat(GAP))
    .trimEnd();

/** Natural widths; then the overflow is taken from the widest flexible column, again and again, but each stays readable. */
function fit(rows: readonly (readonly string[])[], { columns, width }: TableOptions): number[] {
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => stringWidth(row[index] ?? ''))));
  let overflow = widths.reduce((sum, each) => sum + each + GAP, -GAP) - width;
  while (overflow > 0) {
    const flexible = widths.map((each, index) => (columns[index]?.flexible ? each : 0));
    const widest = Math.max(...flexible);
    if (widest <= NARROWEST) break;
    widths[flexible.indexOf(widest)] = widest - 1;
    overflow -= 1;
  }
  return widths;
}

const segments = new Intl.Segmenter('en');

/** Exactly `width` columns: filled with spaces, or cut with an ellipsis. A character of two columns counts as two. */
function pad(text: string, width: number): string {
  const fitting = stringWidth(text) <= width ? text : shorten(text, width);
  return fitting + ' '.repeat(Math.max(0, width - stringWidth(fitting)));
}

function shorten(text: string, most: number): string {
  let kept = '';
  let used = 1;
  for (const { segment } of segments.segment(text)) {
    used += stringWidth(segment);
    if (used > most) break;
    kept += segment;
  }
  return `${kept}…`;
}
