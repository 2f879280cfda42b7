import { reachable } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { Mark, type MarkName } from '../../components/icons/mark.tsx';
import { Time } from '../../components/text/time.tsx';
import type { Live, LiveState } from '../../data/live/use-live.ts';

interface LiveControlProps {
  readonly connection: Live;
  readonly paused: boolean;
  readonly onPause: () => void;
  readonly onResume: () => void;
}

const STATES: Record<Exclude<LiveState, 'live'>, { readonly mark: MarkName; readonly label: string }> = {
  waiting: { mark: 'wait', label: 'Waiting' },
  connecting: { mark: 'wait', label: 'Connecting' },
  reconnecting: { mark: 'retry', label: 'Reconnecting' },
  paused: { mark: 'off', label: 'Paused' },
  failed: { mark: 'fail', label: 'Not live' },
};

const IN_TURNS = 'Browsers allow few connections, so windows take turns being live.';

/** Shows whether new events arrive by themselves, with a button that pauses them. */
export function LiveControl({ connection, paused, onPause, onResume }: LiveControlProps) {
  const { refreshedAt } = connection;
  // Before its first turn, a stream that waits is shown as connecting.
  const following =
    connection.state === 'waiting' && refreshedAt === undefined ? 'connecting' : connection.state;
  const state = paused ? 'paused' : reachable.value ? following : 'reconnecting';
  return (
    <>
      <span
        role="status"
        aria-label="Connection"
        class={state === 'live' ? 'live' : 'state dim'}
        title={state === 'waiting' ? IN_TURNS : undefined}
      >
        {state === 'live' ? <span class="pulse" /> : <Mark name={STATES[state].mark} />}
        <span>
          {state === 'live' ? 'Live' : STATES[state].label}
          {state === 'waiting' && (
            <span class="its-turn">
              {' '}
              for its turn, refreshed <Time value={refreshedAt} />
            </span>
          )}
        </span>
      </span>
      {paused ? (
        <Button size="small" icon="play" onClick={onResume}>
          Resume
        </Button>
      ) : (
        <Button size="small" icon="pause" onClick={onPause}>
          Pause
        </Button>
      )}
    </>
  );
}
