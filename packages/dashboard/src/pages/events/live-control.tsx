import { Button } from '../../components/controls/button.tsx';
import { Mark, type MarkName } from '../../components/icons/mark.tsx';
import type { Live, LiveState } from '../../data/use-live.ts';

interface LiveControlProps {
  readonly connection: Live;
  readonly paused: boolean;
  readonly onPause: () => void;
  readonly onResume: () => void;
}

const STATES: Record<Exclude<LiveState, 'live'>, { readonly mark: MarkName; readonly label: string }> = {
  connecting: { mark: 'wait', label: 'Connecting' },
  reconnecting: { mark: 'retry', label: 'Reconnecting' },
  paused: { mark: 'off', label: 'Paused' },
  failed: { mark: 'fail', label: 'Not live' },
};

/** Says that new events come by themselves, with the button that stops them. */
export function LiveControl({ connection, paused, onPause, onResume }: LiveControlProps) {
  const state = paused ? 'paused' : connection.state;
  return (
    <>
      <span role="status" aria-label="Connection" class={state === 'live' ? 'live' : 'state dim'}>
        {state === 'live' ? <span class="pulse" /> : <Mark name={STATES[state].mark} />}
        {state === 'live' ? 'Live' : STATES[state].label}
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
