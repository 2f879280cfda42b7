import '../../styles/lists.css';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useRef } from 'preact/hooks';
import { useShortcuts } from '../../shell/shortcuts.ts';

export interface Column<Item> {
  /** The heading, and on a narrow screen the label beside the value; empty for a column of buttons. */
  readonly label: string;
  readonly cell: (item: Item) => ComponentChildren;
  readonly align?: 'end';
  /** It takes the width that is left. All cells of such a table are cut to one line, where there is room for columns. */
  readonly grow?: boolean;
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
  /** Reports whether a row has just come: it is marked for a moment. */
  readonly fresh?: (item: Item) => boolean;
  /** Shown instead of a table without rows. */
  readonly empty: ComponentChildren;
}

const SKELETON_ROWS = 6;

/** Rows of things: stacked on a narrow screen, walked through with `j`, `k` and Enter. */
export function Table<Item>({ caption, columns, items, rowKey, href, fresh, empty }: TableProps<Item>) {
  const active = useSignal<string | undefined>(undefined);
  const body = useRef<HTMLTableSectionElement>(null);
  const { route } = useLocation();

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
  return (
    <table
      class="table"
      aria-busy={items === undefined}
      {...(columns.some(({ grow }) => grow) && { 'data-lines': 'one' })}
    >
      <caption class="sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ label, align }) => (
            <th key={label} scope="col" data-align={align}>
              {label || <span class="sr-only">Actions</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {items === undefined
          ? Array.from({ length: SKELETON_ROWS }, (_, row) => (
              <tr key={row}>
                {columns.map(({ label }) => (
                  <td key={label}>
                    <span class="skeleton" />
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
                  {...(to !== undefined && { 'data-link': '' })}
                  {...(active.value === key && { 'data-active': '' })}
                  {...(fresh?.(item) && { 'data-fresh': '' })}
                  onClick={(event) => {
                    if (to === undefined || isOwnClick(event)) return;
                    route(to);
                  }}
                >
                  {columns.map(({ label, cell, align, grow }, column) => (
                    <td
                      key={label}
                      data-label={label || undefined}
                      data-align={align}
                      {...(grow && { 'data-grow': '' })}
                    >
                      {column === 0 && to !== undefined ? <a href={to}>{cell(item)}</a> : cell(item)}
                    </td>
                  ))}
                </tr>
              );
            })}
      </tbody>
    </table>
  );
}

/** Clicks on controls do what the control does; a selection of text is no click; combinations are the browser's. */
function isOwnClick(event: MouseEvent): boolean {
  const { target } = event;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return true;
  if (target instanceof Element && target.closest('a, button, input, select, label, summary')) return true;
  return getSelection()?.isCollapsed === false;
}
