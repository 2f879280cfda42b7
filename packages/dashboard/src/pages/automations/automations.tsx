import type { Automation } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { Mark } from '../../components/icons/mark.tsx';
import { NounList } from '../../components/schema/noun-list.tsx';
import { markOf, statusWord } from '../../components/text/status.tsx';
import { Time } from '../../components/text/time.tsx';
import { usePages } from '../../data/queries/use-pages.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { triggerWords } from './automation-words.ts';

export function AutomationsPage() {
  const { id: workspaceId } = useWorkspace();
  const pages = usePages(
    (signal) => client.automations.list(workspaceId, { limit: 50 }, { signal }),
    ['automations', workspaceId],
  );
  return (
    <NounList
      title="Automations"
      noun={['automation', 'automations']}
      page="automations"
      pages={pages}
      columns={[
        {
          label: 'When',
          grow: true,
          hideWhenNarrow: 'second',
          cell: ({ trigger }) => <span class="faint">{triggerWords({ ...trigger })}</span>,
        },
        { label: 'Steps', align: 'end', hideWhenNarrow: 'first', cell: ({ actions }) => actions.length },
        { label: 'Last runs', cell: ({ recent_runs: runs }) => <Recent runs={runs} /> },
        { label: 'Last run', align: 'end', cell: ({ last_run_at: at }) => <Time value={at} /> },
      ]}
      onEnable={({ id }, enabled) => client.automations.update(workspaceId, id, { enabled })}
      placeholder="Merged pull requests to #releases"
      onCreate={(name) =>
        client.automations.create(workspaceId, {
          name,
          // Off and harmless, so that nothing runs before it has been tried.
          enabled: false,
          trigger: { event: 'event.created' },
          actions: [{ type: 'wait', seconds: 60 }],
        })
      }
      empty="An automation waits for an event, checks conditions, and acts: it sends a message, opens an issue, calls a webhook."
      sample={['automation create', SAMPLE]}
    />
  );
}

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

const SAMPLE = `name: Releases
trigger: { event: event.created, types: [release] }
actions:
  - { type: create_event, event_type: release_seen, payload: { text: '{{ event.summary.text }}' } }`;
