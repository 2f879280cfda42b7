import type { AuditEntry } from '@hubline/sdk';
import { useRef } from 'preact/hooks';
import { client } from '../../api/client.ts';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { FilterChips } from '../../components/filters/filter-chips.tsx';
import { FilterText } from '../../components/filters/filter-text.tsx';
import { FiltersBar } from '../../components/filters/filters-bar.tsx';
import { TimeChip } from '../../components/filters/time-chip.tsx';
import { LoadMore } from '../../components/page/load-more.tsx';
import { ClosedPage } from '../../components/page/closed-page.tsx';
import { Page } from '../../components/page/page.tsx';
import { timeBounds } from '../../data/address/time-range.ts';
import { useFilters } from '../../data/address/use-filters.ts';
import { usePages } from '../../data/queries/use-pages.ts';
import { useShortcuts } from '../../shell/shortcuts.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { AuditExport } from './audit-export.tsx';
import { AuditItem } from './audit-item.tsx';
import { auditActions } from './audit-text.ts';
import { useMembers } from '../members/use-members.ts';

export function AuditLogPage() {
  const { can } = useWorkspace();
  return can('view_audit_log') ? <AuditLog /> : <ClosedPage title="Audit log" permission="view_audit_log" />;
}

function AuditLog() {
  const workspace = useWorkspace();
  const members = useMembers();
  const filters = useFilters(['action', 'actor', 'target', 'range', 'from', 'to']);
  const { action, actor, target, ...time } = filters.values;
  const query = () => ({ action, actor, target, ...timeBounds(time, Date.now()) });
  const entries = usePages(
    (signal) => client.auditLog.list(workspace.id, { ...query(), limit: 50 }, { signal }),
    ['audit-log', workspace.id, action, actor, target, time.range, time.from, time.to],
  );

  return (
    <Page title="Audit log" actions={<AuditExport query={query} />}>
      <FiltersBar active={filters.active} onClear={filters.clear}>
        <FilterText
          label="Filter by target ID"
          value={target}
          onChange={(next) => filters.set({ target: next })}
        />
        <TimeChip value={time} onChange={filters.set} />
        <FilterChips
          values={filters.values}
          onChange={(name, value) => filters.set({ [name]: value })}
          filters={[
            {
              name: 'actor',
              label: 'Actor',
              options: Object.fromEntries(members.map(({ user_id, email }) => [user_id, email])),
            },
            { name: 'action', label: 'Action', options: auditActions },
          ]}
        />
      </FiltersBar>
      {entries.items?.length === 0 ? (
        <EmptyState title={filters.active ? 'No entries match' : 'No changes yet'}>
          {filters.active
            ? 'No entry matches these filters.'
            : 'Every change in this workspace is recorded here, with the person or key that made it.'}
        </EmptyState>
      ) : (
        <Entries items={entries.items} />
      )}
      <LoadMore pages={entries} />
    </Page>
  );
}

const SKELETON_ROWS = 6;

const dayOf = (entry: AuditEntry | undefined) => entry && new Date(entry.created_at).toDateString();

function Entries({ items }: { items: readonly AuditEntry[] | undefined }) {
  const list = useRef<HTMLUListElement>(null);
  function move(step: 1 | -1): void {
    const rows = [...(list.current?.querySelectorAll('summary') ?? [])];
    const at = rows.findIndex((row) => row === document.activeElement);
    rows[at === -1 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)]?.focus();
  }
  useShortcuts({ j: () => move(1), k: () => move(-1) });
  return (
    <ul class="audit" ref={list} aria-busy={items === undefined}>
      {items === undefined
        ? Array.from({ length: SKELETON_ROWS }, (_, row) => (
            <li key={row}>
              <span class="skel w3" />
            </li>
          ))
        : items.map((entry, at) => (
            <AuditItem key={entry.id} entry={entry} isFirstOfDay={dayOf(entry) !== dayOf(items[at - 1])} />
          ))}
    </ul>
  );
}
