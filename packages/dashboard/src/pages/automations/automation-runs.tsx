import type { Automation } from '@hubline/sdk';
import { RUN_STATUSES } from '@hubline/contract/constants';
import { useSignal } from '@preact/signals';
import { client } from '../../api/client.ts';
import { FilterChips } from '../../components/filters/filter-chips.tsx';
import { Mark } from '../../components/icons/mark.tsx';
import { LoadMore } from '../../components/page/load-more.tsx';
import { markOf, statusWord } from '../../components/text/status.tsx';
import { Time } from '../../components/text/time.tsx';
import { formatDuration } from '../../data/formats/format-number.ts';
import { usePages } from '../../data/queries/use-pages.ts';
import { usePoll } from '../../data/queries/use-poll.ts';
import { useWorkspace } from '../../session/workspace.ts';

const EVERY_MS = 4_000;
const SHOWN = 25;
const STATUSES = Object.fromEntries(RUN_STATUSES.map((status) => [status, statusWord(status)]));

/** The runs of an automation, newest first. The first page is kept up to date. */
export function AutomationRuns({ automation: { id } }: { automation: Automation }) {
  const workspace = useWorkspace();
  const status = useSignal<string>();
  const runs = usePages(
    (signal) =>
      client.automations.listRuns(
        workspace.id,
        id,
        { limit: SHOWN, status: status.value as (typeof RUN_STATUSES)[number] | undefined },
        { signal },
      ),
    ['automations', workspace.id, id, 'runs', status.value],
  );
  // Further pages would all be read again each time.
  const isFirst = (runs.items?.length ?? 0) <= SHOWN;
  usePoll(() => runs.refresh(), isFirst ? EVERY_MS : undefined);
  return (
    <>
      <div class="runs-head">
        <FilterChips
          filters={[{ name: 'status', label: 'Status', options: STATUSES }]}
          values={{ status: status.value }}
          onChange={(_, next) => (status.value = next)}
        />
      </div>
      {runs.items?.map((run) => (
        <a key={run.id} class="run" href={workspace.href(`automations/${id}/runs/${run.id}`)}>
          <Mark name={markOf(run.status)} />
          <span class="grow">
            <span class="line">
              <b>{statusWord(run.status)}</b>
              <span class="w">
                <Time value={run.created_at} />
              </span>
            </span>
            <span class="d clip">
              {run.error ??
                (run.duration_ms === null ? `Started by ${run.trigger}` : formatDuration(run.duration_ms))}
            </span>
          </span>
        </a>
      ))}
      {runs.items?.length === 0 && (
        <p class="faint pad">
          {status.value === undefined
            ? 'No runs yet. The trigger starts the first one.'
            : 'No runs with this status.'}
        </p>
      )}
      <LoadMore pages={runs} />
    </>
  );
}
