import type { Integration } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { toastError } from '../../components/dialogs/toast.tsx';
import { Time } from '../../components/text/time.tsx';
import { TimeAgo } from '../../components/text/time-ago.tsx';
import { useAction } from '../../data/queries/use-action.ts';

interface IntegrationSyncProps {
  readonly integration: Integration;
  readonly blocked: string | undefined;
  readonly onBegun: () => void;
}

/** The last sync, and the button for another. */
export function IntegrationSync({ integration, blocked, onBegun }: IntegrationSyncProps) {
  const { sync } = integration;
  const begin = useAction(async () => {
    try {
      await client.integrations.sync(integration.integration_id);
      onBegun();
    } catch (error) {
      toastError(error);
    }
  });
  const running = sync?.status === 'running' ? 'A sync is already running.' : undefined;
  return (
    <span class="badges">
      {sync && <SyncState {...sync} />}
      <Button blocked={blocked ?? running} pending={begin.pending} onClick={() => void begin.run()}>
        Sync now
      </Button>
    </span>
  );
}

function SyncState({
  status,
  since,
  completed_at: completed,
  events,
  called,
  error,
}: NonNullable<Integration['sync']>) {
  const found = `${events} ${events === 1 ? 'event' : 'events'} found, ${called} ${called === 1 ? 'call' : 'calls'} repeated`;
  return (
    <span>
      {status === 'running' ? (
        <>
          Fetching events since <Time value={since} />: {found}.
        </>
      ) : (
        <>
          {status === 'completed' ? 'Completed' : 'Failed'} <TimeAgo value={completed} />: {found}.
        </>
      )}
      {error !== null && ` ${error}`}
    </span>
  );
}
