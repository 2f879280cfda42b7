import stringWidth from 'string-width';
import type { Style } from '../../terminal/io.ts';
import { humanText, paintStatus, type ResolvedColumn } from './columns.ts';

interface TableOptions {
  readonly columns: readonly ResolvedColumn[];
  /** Columns of the terminal. */
  readonly width: number;
  readonly now: () => number;
  readonly style: Style;
}

/** A column that is shown, by its index, and its width. */
interface Slot {
  readonly index: number;
  readonly width: number;
}

const GAP = 2;
/** The width that a flexible column keeps while an optional column can be left out instead. */
const LEGIBLE = 24;
/** A flexible column never gets narrower than this. */
const NARROWEST = 8;

/** Rows under headers, as wide as their content; where that is wider than the terminal, times are brief, and columns give way. */
export function formatTable(items: readonly unknown[], options: TableOptions): string {
  const measure = (brief: boolean) => {
    const rows = items.map((item) => cells(item, options, brief));
    return { rows, widths: [headers(options), ...rows].map(widthsOf).reduce(widest) };
  };
  const full = measure(false);
  const { rows, widths } = fits(full.widths, options) ? full : measure(true);
  const slots = layout(widths, options);
  return headerLine(slots, options) + rows.map((row) => bodyLine(row, slots, options)).join('');
}

/** A table whose rows come one at a time: its columns grow with the rows so far. */
export function growingTable(options: TableOptions): (item: unknown) => string {
  let seen: number[] | undefined;
  return (item) => {
    const row = cells(item, options, true);
    const first = seen === undefined;
    seen = widest(seen ?? widthsOf(headers(options)), widthsOf(row));
    const slots = layout(seen, options);
    return (first ? headerLine(slots, options) : '') + bodyLine(row, slots, options);
  };
}

const headers = ({ columns }: TableOptions): string[] => columns.map(({ header }) => header);

const cells = (item: unknown, { columns, now }: TableOptions, brief: boolean): string[] =>
  columns.map((column) => humanText(item, column, { now: now(), brief }));

const widthsOf = (row: readonly string[]): number[] => row.map((text) => stringWidth(text));

const widest = (a: readonly number[], b: readonly number[]): number[] =>
  a.map((width, index) => Math.max(width, b[index] ?? 0));

const total = (slots: readonly Slot[]): number => slots.reduce((sum, { width }) => sum + width + GAP, -GAP);

const fits = (widths: readonly number[], { width: room }: TableOptions): boolean =>
  total(widths.map((width, index) => ({ index, width }))) <= room;

/**
 * The columns that are shown, and their widths. Flexible columns give way as long as they stay legible; then optional columns are left
 * out. Then flexible ones are cut short, and columns left out, from the right: first those that say neither which thing a row is about
 * nor its state; then all but the first and the state, which is cut, too; in the end all but the first, which is cut. So rows do not
 * wrap, except for a one-time secret, which must not be lost.
 */
function layout(natural: readonly number[], { columns, width: room }: TableOptions): Slot[] {
  const secret = ({ index }: Slot): boolean => columns[index]?.secret === true;
  const state = ({ index }: Slot): boolean => columns[index]?.state === true;
  const shaved = (slots: readonly Slot[], least: number): Slot[] => {
    // With a state that is cut beside it, an ID can still be copied.
    const onlyStates = slots.slice(1).every((slot) => state(slot) || secret(slot));
    const flexible = (slot: Slot): boolean =>
      columns[slot.index]?.flexible === true || (onlyStates && state(slot));
    const given = slots.map((slot) =>
      flexible(slot) ? { ...slot, width: Math.min(slot.width, room) } : slot,
    );
    while (total(given) > room) {
      const wide = given.filter((slot) => flexible(slot) && slot.width > least);
      const [widestSlot] = wide.toSorted((a, b) => b.width - a.width);
      if (!widestSlot) break;
      given[given.indexOf(widestSlot)] = { ...widestSlot, width: widestSlot.width - 1 };
    }
    return given;
  };
  let slots: Slot[] = natural.map((width, index) => ({ index, width }));
  for (const [least, expendable] of [
    [LEGIBLE, ({ index }: Slot) => columns[index]?.optional === true],
    [NARROWEST, (slot: Slot) => !secret(slot) && !state(slot) && columns[slot.index]?.identifies !== true],
    [NARROWEST, (slot: Slot) => !secret(slot) && !state(slot) && slot !== slots[0]],
    [NARROWEST, (slot: Slot) => !secret(slot) && slot !== slots[0]],
  ] as const) {
    for (;;) {
      const given = shaved(slots, least);
      const last = slots.findLast(expendable);
      if (total(given) <= room) return given;
      if (!last) break;
      slots = slots.filter((slot) => slot !== last);
    }
  }
  return slots.map((slot) => (secret(slot) ? slot : { ...slot, width: Math.min(slot.width, room) }));
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
