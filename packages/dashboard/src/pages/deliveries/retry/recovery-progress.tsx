import { useEffect } from 'preact/hooks';
import { client } from '../../../api/client.ts';
import { Button } from '../../../components/controls/button.tsx';
import { ErrorPanel } from '../../../components/page/error-panel.tsx';
import { formatCount, formatMany } from '../../../data/formats/format-number.ts';
import { useRefreshed } from '../../../data/queries/use-refreshed.ts';

interface RecoveryProgressProps {
  readonly id: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const POLL_MS = 700;
const NOUN = ['delivery', 'deliveries'] as const;

/** The progress of a recovery, until it is done. The recovery continues when the page is closed. */
export function RecoveryProgress({ id, onDone, onClose }: RecoveryProgressProps) {
  const query = useRefreshed((signal) => client.recoveries.get(id, { signal }), ['recoveries', id], {
    everyMs: POLL_MS,
    isDone: ({ completed_at }) => completed_at !== null,
  });
  const recovery = query.data;
  const ended = recovery?.completed_at != null;
  useEffect(() => {
    if (ended) onDone();
  }, [ended]);
  if (query.error !== undefined) return <ErrorPanel of={query} />;
  const { matched = 0, done = 0, status } = recovery ?? {};
  return (
    <>
      <div class="stack">
        {/* Without a value, the bar shows only that work is under way. */}
        <progress
          class="progress-bar"
          aria-label="Progress of the recovery"
          max={Math.max(matched, 1)}
          value={!status || status === 'queued' ? undefined : ended ? Math.max(matched, 1) : done}
        />
        <p role="status">
          {status === 'cancelled'
            ? `Ended early, because the webhook was deleted: ${formatMany(done, NOUN)} queued for a retry.`
            : ended
              ? `Done: ${formatMany(done, NOUN)} queued for a retry. The list shows their results.`
              : status === 'running'
                ? `${formatCount(done)} of ${formatMany(matched, NOUN)} queued for a retry`
                : 'Counting…'}
        </p>
        {!ended && (
          <p class="faint">You can close this. The recovery continues, even if the server restarts.</p>
        )}
      </div>
      <div class="form-actions">
        <Button kind={ended ? 'primary' : 'quiet'} onClick={onClose}>
          Close
        </Button>
      </div>
    </>
  );
}
