import type { Automation } from '@hubline/sdk';
import { useLocation } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { whoMay } from '../../api/permissions.ts';
import { Button } from '../../components/controls/button.tsx';
import { Toggle } from '../../components/controls/toggle.tsx';
import { toastError } from '../../components/dialogs/toast.tsx';
import { Mark } from '../../components/icons/mark.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { LoadMore } from '../../components/page/load-more.tsx';
import { Page } from '../../components/page/page.tsx';
import { Table } from '../../components/page/table.tsx';
import { NewDialog } from '../../components/schema/new-dialog.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { markOf, statusWord } from '../../components/text/status.tsx';
import { Time } from '../../components/text/time.tsx';
import { useFilters } from '../../data/use-filters.ts';
import { countNote, usePages } from '../../data/use-pages.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { triggerWords } from './automation-words.ts';

export function AutomationsPage() {
  const workspace = useWorkspace();
  const { route } = useLocation();
  const dialog = useFilters(['new']);
  const automations = usePages(
    (signal) => client.automations.list(workspace.id, { limit: 50 }, { signal }),
    ['automations', workspace.id],
  );
  const forbidden = workspace.can('edit_automations') ? undefined : whoMay('edit_automations');
  async function enable({ id }: Automation, enabled: boolean): Promise<void> {
    try {
      const changed = await client.automations.update(workspace.id, id, { enabled });
      automations.update((items) => items.map((each) => (each.id === id ? changed : each)));
    } catch (error) {
      toastError(error);
    }
  }
  const create = (
    <Button kind="primary" icon="plus" blocked={forbidden} onClick={() => dialog.set({ new: '1' })}>
      New automation
    </Button>
  );
  return (
    <Page title="Automations" note={countNote(automations)} actions={create}>
      <Table
        caption="Automations"
        items={automations.items}
        rowKey={({ id }) => id}
        href={({ id }) => workspace.href(`automations/${id}`)}
        muted={({ enabled }) => !enabled}
        columns={[
          {
            label: 'Automation',
            cell: ({ name }) => (
              <span class="strong">
                <Foreign text={name} />
              </span>
            ),
          },
          {
            label: 'When',
            grow: true,
            leaves: 'second',
            cell: ({ trigger }) => <span class="faint">{triggerWords({ ...trigger })}</span>,
          },
          { label: 'Steps', align: 'end', leaves: 'first', cell: ({ actions }) => actions.length },
          { label: 'Last runs', cell: ({ recent_runs: runs }) => <Recent runs={runs} /> },
          { label: 'Last run', align: 'end', cell: ({ last_run_at: at }) => <Time value={at} /> },
          {
            label: 'On',
            cell: (automation) => (
              <Toggle
                on={automation.enabled}
                label={`${automation.name} on`}
                blocked={forbidden}
                onChange={(on) => void enable(automation, on)}
              />
            ),
          },
        ]}
        empty={
          <EmptyState title="No automations yet" {...(!forbidden && { action: create })} samples={SAMPLES}>
            An automation waits for an event, looks at conditions, and acts: it sends a message, opens an
            issue, calls a URL.
          </EmptyState>
        }
      />
      <LoadMore pages={automations} noun={['automation', 'automations']} />
      <NewDialog
        open={!forbidden && dialog.values.new !== undefined}
        title="New automation"
        placeholder="Merged pull requests to #releases"
        onClose={dialog.clear}
        onCreate={async (name) => {
          const { id } = await client.automations.create(workspace.id, { name, ...BEGIN });
          route(workspace.href(`automations/${id}`));
        }}
      />
    </Page>
  );
}

/** A new one is off, and does no harm: nothing runs before it was tried. */
const BEGIN = {
  enabled: false,
  trigger: { event: 'event.created' },
  actions: [{ type: 'wait', seconds: 60 }],
} as const;

/** The last runs as marks, the newest at the end. */
function Recent({ runs }: { runs: Automation['recent_runs'] }) {
  const failed = runs.filter((status) => status === 'failed').length;
  if (runs.length === 0) return <span class="faint">none</span>;
  return (
    <span class="recent" role="img" aria-label={`${failed} of the last ${runs.length} runs failed`}>
      {runs.toReversed().map((status, at) => (
        <span key={at} title={statusWord(status)}>
          <Mark name={markOf(status)} />
        </span>
      ))}
    </span>
  );
}

const SAMPLES = {
  'command line': `hubline automation create --file - <<'END'
name: Releases
trigger: { event: event.created, types: [release] }
actions:
  - { type: create_event, event_type: release_seen, payload: { text: '{{ event.summary.text }}' } }
END`,
};
