import { Button } from '../../components/controls/button.tsx';
import { Status, type Tone } from '../../components/text/status.tsx';
import type { Live, LiveState } from '../../data/use-live.ts';

interface LiveControlProps {
  readonly connection: Live;
  readonly paused: boolean;
  readonly onPause: () => void;
  readonly onResume: () => void;
}

const STATES: Record<LiveState, { readonly tone: Tone; readonly label: string }> = {
  connecting: { tone: 'info', label: 'Connecting' },
  live: { tone: 'ok', label: 'Live' },
  reconnecting: { tone: 'warn', label: 'Reconnecting' },
  paused: { tone: 'neutral', label: 'Paused' },
  failed: { tone: 'bad', label: 'Not live' },
};

/** Says that new events come by themselves, with the button that stops them. */
export function LiveControl({ connection, paused, onPause, onResume }: LiveControlProps) {
  const { tone, label } = STATES[paused ? 'paused' : connection.state];
  return (
    <>
      <span role="status" aria-label="Connection">
        <Status status={label} tone={tone} />
      </span>
      {paused ? (
        <Button icon="play" onClick={onResume}>
          Resume
        </Button>
      ) : (
        <Button icon="pause" onClick={onPause}>
          Pause
        </Button>
      )}
    </>
  );
}
