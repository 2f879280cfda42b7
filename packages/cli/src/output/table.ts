import stringWidth from 'string-width';
import type { Style } from '../io.ts';
import { humanText, paintStatus, type ResolvedColumn } from './columns.ts';

interface TableOptions {
  readonly columns: readonly ResolvedColumn[];
  /** Columns of the terminal. */
  readonly width: number;
  readonly now: () => number;
  readonly style: Style;
}

/** A column that is shown, by its index, and how wide it is. */
interface Slot {
  readonly index: number;
  readonly width: number;
}

const GAP = 2;
/** A flexible column never gets narrower than this. */
const NARROWEST = 8;

/** Rows under headers, as wide as their content; where that is wider than the terminal, flexible columns give way. */
export function formatTable(items: readonly unknown[], options: TableOptions): string {
  const rows = items.map((item) => cells(item, options));
  const slots = layout([headers(options), ...rows].map(widthsOf).reduce(widest), options);
  return headerLine(slots, options) + rows.map((row) => bodyLine(row, slots, options)).join('');
}

/** A table whose rows come one at a time: its columns grow with what has been seen. */
export function growingTable(options: TableOptions): (item: unknown) => string {
  let seen: number[] | undefined;
  return (item) => {
    const row = cells(item, options);
    const first = seen === undefined;
    seen = widest(seen ?? widthsOf(headers(options)), widthsOf(row));
    const slots = layout(seen, options);
    return (first ? headerLine(slots, options) : '') + bodyLine(row, slots, options);
  };
}

const headers = ({ columns }: TableOptions): string[] => columns.map(({ header }) => header);

const cells = (item: unknown, { columns, now }: TableOptions): string[] =>
  columns.map((column) => humanText(item, column, now()));

const widthsOf = (row: readonly string[]): number[] => row.map((text) => stringWidth(text));

const widest = (a: readonly number[], b: readonly number[]): number[] =>
  a.map((width, index) => Math.max(width, b[index] ?? 0));

const total = (slots: readonly Slot[]): number => slots.reduce((sum, { width }) => sum + width + GAP, -GAP);

/**
 * Which columns are shown, and how wide. What does not fit is taken from the widest flexible column, again and again; where even
 * that is not enough, flexible columns are left out from the right: a row never wraps for their sake.
 */
function layout(natural: readonly number[], { columns, width: room }: TableOptions): Slot[] {
  const flexible = ({ index }: Pick<Slot, 'index'>): boolean => columns[index]?.flexible === true;
  let slots: Slot[] = natural.map((width, index) => ({
    index,
    width: flexible({ index }) ? Math.min(width, room) : width,
  }));
  while (total(slots) > room) {
    const [widestSlot] = slots
      .filter((slot) => flexible(slot) && slot.width > NARROWEST)
      .toSorted((a, b) => b.width - a.width);
    const last = slots.findLast(flexible);
    if (widestSlot)
      slots = slots.with(slots.indexOf(widestSlot), { ...widestSlot, width: widestSlot.width - 1 });
    else if (last) slots = slots.filter((slot) => slot !== last);
    else break;
  }
  return slots;
}

function headerLine(slots: readonly Slot[], options: TableOptions): string {
  const names = headers(options);
  const line = slots.map(({ index, width }) => pad(names[index] ?? '', width)).join(' '.repeat(GAP));
  return `${options.style.dim(line.trimEnd())}\n`;
}

function bodyLine(row: readonly string[], slots: readonly Slot[], { columns, style }: TableOptions): string {
  const painted = slots.map(({ index, width }) => {
    const padded = pad(row[index] ?? '', width);
    return columns[index]?.path === 'status' ? paintStatus(padded, style) : padded;
  });
  return `${painted.join(' '.repeat(GAP)).trimEnd()}\n`;
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
