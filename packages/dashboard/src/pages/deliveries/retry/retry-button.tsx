import type { Delivery } from '@hubline/sdk';
import { Button } from '../../../components/controls/button.tsx';
import { useWorkspace } from '../../../session/workspace.ts';
import { useOffer } from '../../../shell/palette/palette-offers.ts';
import { useRetry, whyNoRetry } from './use-retry.ts';

interface RetryButtonProps {
  readonly delivery: Delivery;
  /** In a list, the words that tell it from the other deliveries there. */
  readonly about?: string;
  /** Called when the retry has started. */
  readonly onSent: (delivery: Delivery) => void;
}

/** Retries a delivery, or says why it cannot be retried now. */
export function RetryButton({ delivery, about, onSent }: RetryButtonProps) {
  const workspace = useWorkspace();
  const retry = useRetry(onSent);
  const blocked = whyNoRetry(delivery, workspace);
  const mayOffer = !about && blocked === undefined;
  useOffer(
    mayOffer
      ? { label: 'Retry this delivery', icon: 'retry', to: () => void retry.run(delivery.id) }
      : undefined,
  );
  return (
    <Button
      {...(about ? { kind: 'quiet', size: 'small', about } : { icon: 'retry' })}
      pending={retry.pending}
      blocked={blocked}
      onClick={() => void retry.run(delivery.id)}
    >
      {delivery.status === 'retrying' ? 'Retry now' : 'Retry'}
    </Button>
  );
}
