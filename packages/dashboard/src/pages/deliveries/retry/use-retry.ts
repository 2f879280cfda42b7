import type { Delivery } from '@hubline/sdk';
import { client } from '../../../api/client.ts';
import { toast, toastError } from '../../../components/dialogs/toast.tsx';
import { useAction } from '../../../data/queries/use-action.ts';
import type { useWorkspace } from '../../../session/workspace.ts';

/** Makes one extra attempt of a delivery. `onSent` gets the updated delivery. */
export function useRetry(onSent: (delivery: Delivery) => void) {
  return useAction(async (id: string) => {
    try {
      onSent(await client.deliveries.retry(id));
      toast('Retry started.');
    } catch (error) {
      toastError(error);
    }
  });
}

/** The reason why a delivery cannot be retried now. */
export function whyNoRetry(
  { status, next_attempt_at }: Delivery,
  workspace: ReturnType<typeof useWorkspace>,
): string | undefined {
  const refusal = workspace.refusal('manage_webhooks');
  if (refusal) return refusal;
  if (status === 'pending') return 'Its first attempt is under way.';
  if (status === 'held') return 'It is sent when the webhook is enabled again.';
  if (status !== 'retrying' && next_attempt_at !== null) return 'A retry is already in progress.';
  return undefined;
}
