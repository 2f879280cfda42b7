import type { Delivery } from '@hubline/sdk';
import { Button } from '../../components/controls/button.tsx';
import { useWorkspace } from '../../session/workspace.ts';
import { useRetry, whyNoRetry } from './use-retry.ts';

interface RetryButtonProps {
  readonly delivery: Delivery;
  readonly size?: 'small';
  /** The delivery is on its way again. */
  readonly onSent: (delivery: Delivery) => void;
}

/** Sends a delivery again, whatever became of it. */
export function RetryButton({ delivery, size, onSent }: RetryButtonProps) {
  const workspace = useWorkspace();
  const retry = useRetry(onSent);
  return (
    <Button
      {...(size && { size })}
      {...(size ? { kind: 'quiet' } : { icon: 'refresh' })}
      pending={retry.pending}
      blocked={whyNoRetry(delivery, workspace)}
      onClick={() => void retry.run(delivery.id)}
    >
      {delivery.status === 'retrying' ? 'Retry now' : 'Send again'}
    </Button>
  );
}
