import type { Delivery } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { IconButton } from '../../components/controls/icon-button.tsx';
import { errorMessage } from '../../components/page/error-panel.tsx';
import { toast, toastError } from '../../components/dialogs/toast.tsx';
import { copyWithToast } from '../../components/dialogs/copy-with-toast.ts';
import { formatMany } from '../../data/formats/format-number.ts';
import { useAction } from '../../data/queries/use-action.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useOffer } from '../../shell/palette/palette-offers.ts';
import { whyNoRetry } from './retry/use-retry.ts';

const NOUN = ['delivery', 'deliveries'] as const;
const SELECTED = ['selected delivery', 'selected deliveries'] as const;
/** The number of requests at a time: the programs of the workspace share its rate limit. */
const AT_ONCE = 4;

interface BulkBarProps {
  /** The chosen deliveries. */
  readonly items: readonly Delivery[];
  /** Called with the IDs of the deliveries that are retried. */
  readonly onSent: (ids: readonly string[]) => void;
  readonly onClose: () => void;
}

/** The actions for the chosen deliveries, in a bar that floats over the list. */
export function BulkBar({ items, onSent, onClose }: BulkBarProps) {
  const workspace = useWorkspace();
  const able = items.filter((delivery) => whyNoRetry(delivery, workspace) === undefined);
  const retry = useAction(async () => {
    const { sent, refused } = await retryEach(able);
    if (sent.length > 0) toast(`${formatMany(sent.length, NOUN)} queued for a retry.`);
    if (refused !== undefined) toastError(refused);
    onSent(sent);
  });
  useOffer(
    able.length > 0
      ? {
          label: `Retry ${formatMany(able.length, SELECTED)}`,
          icon: 'retry',
          to: () => void retry.run(),
        }
      : undefined,
  );
  if (items.length === 0) return null;
  const [first] = items;
  return (
    <div class="bulk" role="region" aria-label="Selected deliveries">
      <b role="status">{items.length} selected</b>
      <hr />
      <Button
        kind="quiet"
        size="small"
        icon="copy"
        onClick={() => void copyWithToast(items.map(({ id }) => id).join('\n'), 'The IDs were copied.')}
      >
        Copy IDs
      </Button>
      <Button
        kind="primary"
        size="small"
        icon="retry"
        pending={retry.pending}
        blocked={able.length > 0 || !first ? undefined : whyNoRetry(first, workspace)}
        onClick={() => void retry.run()}
      >
        Retry {able.length}
      </Button>
      <IconButton icon="x" label="Clear the selection" onClick={onClose} />
    </div>
  );
}

async function retryEach(
  items: readonly Delivery[],
): Promise<{ sent: string[]; refused: Error | undefined }> {
  const queue = [...items];
  const sent: string[] = [];
  const refusals: string[] = [];
  async function work(): Promise<void> {
    for (let next = queue.shift(); next; next = queue.shift()) {
      try {
        await client.deliveries.retry(next.id);
        sent.push(next.id);
      } catch (error) {
        refusals.push(errorMessage(error));
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const refused =
    refusals.length > 0
      ? new Error(`${formatMany(refusals.length, NOUN)} could not be retried: ${refusals[0]}`)
      : undefined;
  return { sent, refused };
}
