import type { Delivery } from '@hubline/sdk';
import { Button } from '../../../components/controls/button.tsx';
import { useWorkspace } from '../../../session/workspace.ts';
import { useOffer } from '../../../shell/palette/palette-offers.ts';
import { useRetry, whyNoRetry } from './use-retry.ts';

interface RetryButtonProps {
  readonly delivery: Delivery;
  readonly size?: 'small';
  /** Called when the retry has started. */
  readonly onSent: (delivery: Delivery) => void;
}

/** Retries a delivery, or says why it cannot be retried now. */
export function RetryButton({ delivery, size, onSent }: RetryButtonProps) {
  const workspace = useWorkspace();
  const retry = useRetry(onSent);
  const blocked = whyNoRetry(delivery, workspace);
  const mayOffer = !size && blocked === undefined;
  useOffer(
    mayOffer
      ? { label: 'Retry this delivery', icon: 'retry', to: () => void retry.run(delivery.id) }
      : undefined,
  );
  return (
    <Button
      size={size}
      {...(size ? { kind: 'quiet' } : { icon: 'retry' })}
      pending={retry.pending}
      blocked={blocked}
      onClick={() => void retry.run(delivery.id)}
    >
      {delivery.status === 'retrying' ? 'Retry now' : 'Retry'}
    </Button>
  );
}
