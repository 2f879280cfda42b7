import type { Delivery } from '@hubline/sdk';
import { Button } from '../../components/controls/button.tsx';
import { useWorkspace } from '../../session/workspace.ts';
import { useRetry, whyNoRetry } from './use-retry.ts';

interface RetryButtonProps {
  readonly delivery: Delivery;
  readonly size?: 'small';
  /** Called when the retry has begun. */
  readonly onSent: (delivery: Delivery) => void;
}

/** Retries a delivery, whatever its state. */
export function RetryButton({ delivery, size, onSent }: RetryButtonProps) {
  const workspace = useWorkspace();
  const retry = useRetry(onSent);
  return (
    <Button
      {...(size && { size })}
      {...(size ? { kind: 'quiet' } : { icon: 'retry' })}
      pending={retry.pending}
      blocked={whyNoRetry(delivery, workspace)}
      onClick={() => void retry.run(delivery.id)}
    >
      {delivery.status === 'retrying' ? 'Retry now' : 'Retry'}
    </Button>
  );
}
