import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useGo } from '../../data/address/leaving.ts';
import { useEffect, useRef } from 'preact/hooks';
import { hasModifier, useShortcuts } from '../../shell/shortcuts.ts';

export interface Column<Item> {
  /** The heading, and on a narrow screen the label beside the value; empty for a column of buttons. */
  readonly label: string;
  readonly cell: (item: Item) => ComponentChildren;
  readonly align?: 'end';
  /** Takes the remaining width; text that does not fit on one line is cut. */
  readonly grow?: boolean;
  /** Hides the column when there is little room; those with `first` go first. */
  readonly hideWhenNarrow?: 'first' | 'second';
}

/** Rows that can be chosen. */
interface Picks<Item> {
  /** Their keys. */
  readonly picked: ReadonlySet<string>;
  /** The name of a row, for those who cannot see it. */
  readonly nameOf: (item: Item) => string;
  readonly onPick: (item: Item, chosen: boolean) => void;
  readonly onPickAll: (chosen: boolean) => void;
}

interface TableProps<Item> {
  /** The caption, for those who cannot see the table. */
  readonly caption: string;
  readonly columns: readonly Column<Item>[];
  /** `undefined` while the first ones load. */
  readonly items: readonly Item[] | undefined;
  readonly rowKey: (item: Item) => string;
  /** The link of a row. Its first cell becomes the link. */
  readonly href?: (item: Item) => string;
  /** Reports whether a row matters less, because it is disabled or revoked. */
  readonly muted?: (item: Item) => boolean;
  /** True for the table of a page, which reaches from edge to edge; others have a frame. */
  readonly edge?: boolean;
  readonly picks?: Picks<Item>;
  /** Shown instead of a table without rows. */
  readonly empty: ComponentChildren;
}

const SKELETON_ROWS = 6;
const WIDTHS = ['w2', 'w1'] as const;

/** Rows of things: stacked on a narrow screen, walked through with `j`, `k` and Enter. */
export function Table<Item>({
  caption,
  columns,
  items,
  rowKey,
  href,
  muted,
  edge = false,
  picks,
  empty,
}: TableProps<Item>) {
  const { query } = useLocation();
  const go = useGo();
  // A link can name a row that has no page of its own.
  const active = useSignal(query['row']);
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    if (query['row'] === undefined) return;
    active.value = query['row'];
    body.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [query['row'], items === undefined]);

  function move(step: 1 | -1): void {
    if (!items?.length) return;
    const at = items.findIndex((item) => rowKey(item) === active.value);
    const next = at === -1 ? 0 : Math.min(Math.max(at + step, 0), items.length - 1);
    const item = items[next];
    if (item) active.value = rowKey(item);
    const row = body.current?.children[next];
    row?.scrollIntoView({ block: 'nearest' });
    row?.querySelector<HTMLElement>('a, button, select')?.focus({ preventScroll: true });
  }
  useShortcuts({ j: () => move(1), k: () => move(-1) });

  if (items?.length === 0) return <>{empty}</>;
  const classes = ({ align, grow, hideWhenNarrow }: Column<Item>): string | undefined =>
    [align, grow && 'fill clip', hideWhenNarrow && `hide-${hideWhenNarrow}`].filter(Boolean).join(' ') ||
    undefined;
  const table = (
    <table class={edge ? 'tbl edge stacks' : 'tbl stacks'} aria-busy={items === undefined}>
      <caption class="sr">{caption}</caption>
      <thead>
        <tr>
          {picks && (
            <th scope="col" class="c">
              <input
                type="checkbox"
                class="check"
                aria-label="Select all rows"
                checked={items !== undefined && picks.picked.size === items.length}
                indeterminate={picks.picked.size > 0 && picks.picked.size < (items?.length ?? 0)}
                onChange={({ currentTarget }) => picks.onPickAll(currentTarget.checked)}
              />
            </th>
          )}
          {columns.map((column) => (
            <th key={column.label} scope="col" class={classes(column)}>
              {column.label || <span class="sr">Actions</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {items === undefined
          ? Array.from({ length: SKELETON_ROWS }, (_, row) => (
              <tr key={row}>
                {picks && <td class="c" />}
                {columns.map((column, at) => (
                  <td key={column.label} class={classes(column)}>
                    <span class={`skel ${column.grow ? 'w4' : WIDTHS[(row + at) % WIDTHS.length]}`} />
                  </td>
                ))}
              </tr>
            ))
          : items.map((item) => {
              const key = rowKey(item);
              const to = href?.(item);
              return (
                // The link in the row is what a keyboard and a screen reader use; the row is only a larger target.
                <tr
                  key={key}
                  class={picks?.picked.has(key) ? 'picked' : muted?.(item) ? 'muted' : undefined}
                  data-link={to === undefined ? undefined : ''}
                  data-active={active.value === key ? '' : undefined}
                  onClick={(event) => {
                    if (to === undefined || isOwnClick(event)) return;
                    go(to);
                  }}
                >
                  {picks && (
                    <td class="c">
                      <input
                        type="checkbox"
                        class="check"
                        aria-label={`Select ${picks.nameOf(item)}`}
                        checked={picks.picked.has(key)}
                        onChange={({ currentTarget }) => picks.onPick(item, currentTarget.checked)}
                      />
                    </td>
                  )}
                  {columns.map((column, at) => (
                    <td
                      key={column.label}
                      // Spoken with every other cell of the row.
                      role={at === 0 ? 'rowheader' : undefined}
                      data-label={column.label || undefined}
                      class={classes(column)}
                    >
                      {at === 0 && to !== undefined ? (
                        <a href={to}>{column.cell(item)}</a>
                      ) : (
                        column.cell(item)
                      )}
                    </td>
                  ))}
                </tr>
              );
            })}
      </tbody>
    </table>
  );
  return edge ? table : <div class="card over">{table}</div>;
}

/** Reports whether a click is not for the row: it is on a control, ends a selection of text, or has a modifier key. */
function isOwnClick(event: MouseEvent): boolean {
  const { target } = event;
  if (hasModifier(event)) return true;
  if (target instanceof Element && target.closest('a, button, input, select, label, summary')) return true;
  return getSelection()?.isCollapsed === false;
}
