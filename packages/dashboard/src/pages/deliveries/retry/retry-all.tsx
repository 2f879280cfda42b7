import { LIMITS } from '@hubline/contract/constants';
import type { DeliveryRetryAll } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { client } from '../../../api/client.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { ErrorPanel } from '../../../components/page/error-panel.tsx';
import { Form } from '../../../components/fields/form.tsx';
import { Time } from '../../../components/text/time.tsx';
import { formatMany } from '../../../data/formats/format-number.ts';
import { useFilters } from '../../../data/address/use-filters.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import { useWorkspace } from '../../../session/workspace.ts';
import { useOffer } from '../../../shell/palette/palette-offers.ts';
import { RecoveryProgress } from './recovery-progress.tsx';

type Filters = DeliveryRetryAll;

interface RetryAllProps {
  /** The filters of the failed deliveries, read when the dialog opens. */
  readonly filters: () => Filters;
  /** Called when the recovery has started. */
  readonly onSent: () => void;
  /** The words after the number of deliveries: `to Billing whose last attempt ended with 503`. Default: words about the filters. */
  readonly about?: string;
  /** The label of the button; `null` if nothing is left to retry, which is then said instead. */
  readonly label?: string | null;
  readonly size?: 'small';
  /** True for the button of the page: the palette offers it, and `retry` in the address opens its dialog. */
  readonly ofPage?: boolean;
}

const FAILED = ['failed delivery', 'failed deliveries'] as const;
/** The noun if deliveries that wait for their next attempt are included. */
const ANY = ['delivery', 'deliveries'] as const;
/** Counting reads the list, so it stops at this number; nobody needs the exact one beyond it. */
const COUNTED_MAX = 1_000;

/** Retries all failed deliveries that match: shows the count, asks, and follows the recovery to its end. */
export function RetryAll({
  filters,
  onSent,
  about,
  label = 'Retry all failed',
  size,
  ofPage = false,
}: RetryAllProps) {
  const workspace = useWorkspace();
  const refusal = workspace.refusal('manage_webhooks');
  const address = useFilters(['retry']);
  const asked = useSignal<{ readonly filters: Filters; readonly at: number }>();
  const recovery = useSignal<string>();
  const close = () => (asked.value = undefined);
  const ask = () => (asked.value = { filters: filters(), at: Date.now() });
  useOffer(ofPage && !refusal ? { label: 'Retry failed deliveries', icon: 'retry', to: ask } : undefined);
  useEffect(() => {
    if (!ofPage || !address.active) return;
    if (!refusal) ask();
    address.clear();
  }, [address.active]);
  return (
    <>
      {label === null ? (
        <span class="faint" title="These deliveries have been attempted again since, or were test calls.">
          Nothing to retry
        </span>
      ) : (
        <Button icon="retry" size={size} blocked={refusal} onClick={ask}>
          {label}
        </Button>
      )}
      <Dialog open={asked.value !== undefined} title="Retry failed deliveries" onClose={close}>
        <Question
          filters={asked.value?.filters ?? {}}
          about={about}
          askedAt={asked.value?.at ?? 0}
          onClose={close}
          onBegun={(id) => {
            recovery.value = id;
            close();
          }}
        />
      </Dialog>
      <Dialog
        open={recovery.value !== undefined}
        title="Retrying"
        onClose={() => (recovery.value = undefined)}
      >
        <RecoveryProgress
          id={recovery.value ?? ''}
          onDone={onSent}
          onClose={() => (recovery.value = undefined)}
        />
      </Dialog>
    </>
  );
}

interface QuestionProps {
  readonly filters: Filters;
  readonly about: string | undefined;
  /** The time of the question. Each question counts again, because an earlier count may be outdated. */
  readonly askedAt: number;
  readonly onClose: () => void;
  readonly onBegun: (recoveryId: string) => void;
}

function Question({ filters, about, askedAt, onClose, onBegun }: QuestionProps) {
  const workspace = useWorkspace();
  const query = useQuery(
    (signal) => count(workspace.id, filters, signal),
    ['deliveries', workspace.id, 'matching', JSON.stringify(filters), askedAt],
  );
  const { many, oldest } = query.data ?? {};
  const { statuses, ...narrowing } = filters;
  const noun = statuses ? ANY : FAILED;
  const narrowed = Object.values(narrowing).some((value) => value !== undefined);
  if (query.error !== undefined) return <ErrorPanel of={query} />;
  return (
    <Form
      submit={many ? `Retry ${formatMany(many, noun)}` : 'Retry'}
      blocked={
        many === undefined ? 'Still counting.' : many === 0 ? 'There are no failed deliveries.' : undefined
      }
      onCancel={onClose}
      action={async () => onBegun((await client.deliveries.retryAll(workspace.id, filters)).id)}
    >
      <div class="stack" role="status">
        <p>
          <strong>
            {many === undefined
              ? 'Counting…'
              : many > COUNTED_MAX
                ? `More than ${formatMany(COUNTED_MAX, noun)}`
                : formatMany(many, noun)}
          </strong>{' '}
          {many !== undefined &&
            (about ?? (narrowed ? `${many === 1 ? 'matches' : 'match'} the filters` : 'in this workspace'))}
          {oldest !== undefined && (
            <>
              , the oldest from <Time value={oldest} />
            </>
          )}
        </p>
        <p class="faint">
          {many === 0
            ? 'Nothing to retry.'
            : 'One more attempt each, with the same body. Test calls are left out. Deliveries to a disabled webhook wait.'}
        </p>
      </div>
    </Form>
  );
}

interface Counted {
  readonly many: number;
  /** Absent if there are more than the maximum. */
  readonly oldest?: string;
}

/** Counts the matches; one more than the maximum stands for all beyond it. Test calls are never part of a recovery. */
async function count(workspaceId: string, filters: Filters, signal: AbortSignal): Promise<Counted> {
  const { statuses = ['failed'], ...rest } = filters;
  const times: string[] = [];
  for (const status of statuses) {
    const list = client.deliveries.list(workspaceId, { ...rest, status, limit: LIMITS.pageMax }, { signal });
    for await (const { trigger, created_at } of list) {
      if (trigger !== 'test') times.push(created_at);
      if (times.length > COUNTED_MAX) return { many: times.length };
    }
  }
  const [oldest] = times.toSorted();
  return { many: times.length, ...(oldest !== undefined && { oldest }) };
}
