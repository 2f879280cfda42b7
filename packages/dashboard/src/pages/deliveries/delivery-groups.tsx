import type { Webhook } from '@hubline/sdk';
import { useWorkspace } from '../../session/workspace.ts';
import { AnswerCode } from '../../components/text/code.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { Time } from '../../components/text/time.tsx';
import { formatCount } from '../../data/format-number.ts';
import { WebhookName } from '../webhooks/webhook-name.tsx';
import type { AttemptErrorKind } from './delivery-statuses.ts';
import { failureWords } from './failure-words.ts';
import type { FailureGroup } from './group-failures.ts';
import { RetryAll } from './retry-all.tsx';

interface DeliveryGroupsProps {
  readonly groups: readonly FailureGroup[];
  /** The things that are counted. */
  readonly noun: 'Attempts' | 'Deliveries';
  /** Absent on the page of a webhook, where every group is its own. */
  readonly webhooks?: ReadonlyMap<string, Webhook> | undefined;
  /** False if only the newest deliveries were looked at. */
  readonly complete?: boolean;
  readonly onSent: () => void;
}

const BAR = 5;
const HEIGHT = 20;

/** Failures by what the other side said, each with one retry for all of them. */
export function DeliveryGroups({ groups, noun, webhooks, complete = true, onSent }: DeliveryGroupsProps) {
  const workspace = useWorkspace();
  return (
    <table class={webhooks ? 'tbl edge stacks' : 'tbl stacks'}>
      <caption class="sr">Failures by cause</caption>
      <thead>
        <tr>
          <th scope="col">Answer</th>
          <th scope="col">Cause</th>
          {webhooks && <th scope="col">Webhook</th>}
          <th scope="col" class="end">
            {noun}
          </th>
          <th scope="col" class="leaves-second">
            When
          </th>
          <th scope="col" class="leaves-first">
            First
          </th>
          <th scope="col">Last</th>
          <th scope="col">
            <span class="sr">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <tr key={`${group.webhookId} ${group.status} ${group.error}`}>
            <td data-label="Answer">
              <AnswerCode status={group.status} error={group.error} />
            </td>
            <td data-label="Cause" class="fill clip">
              <a href={workspace.href(listOf(group))} class="strong">
                {failureWords(group.status, group.error)}
              </a>
              {group.message && (
                <span class="said-in-row">
                  <Foreign text={group.message} />
                </span>
              )}
            </td>
            {webhooks && (
              <td data-label="Webhook">
                <WebhookName id={group.webhookId} webhooks={webhooks} />
              </td>
            )}
            <td data-label={noun} class="end num strong">
              {formatCount(group.count)}
              {!complete && '+'}
            </td>
            <td data-label="When" class="leaves-second">
              <Bars values={group.parts} />
            </td>
            <td data-label="First" class="leaves-first">
              <Time value={group.first} />
            </td>
            <td data-label="Last">
              <Time value={group.last} />
            </td>
            <td class="end">
              <RetryAll
                size="small"
                label="Retry"
                filters={() => ({
                  webhook_id: group.webhookId,
                  statuses: ['failed', 'retrying'],
                  ...(group.status === null
                    ? { error_kind: (group.error ?? undefined) as AttemptErrorKind | undefined }
                    : { response_status: group.status }),
                })}
                onSent={onSent}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The list with only the deliveries of a group. */
const listOf = ({ webhookId, status, error }: FailureGroup): string =>
  `deliveries?webhook=${webhookId}&${status === null ? `error=${error}` : `code=${status}`}`;

/** When they failed, from the first to now. Decoration: first and last stand beside it. */
function Bars({ values }: { values: readonly number[] }) {
  const top = Math.max(1, ...values);
  return (
    <svg
      class="mini"
      viewBox={`0 0 ${values.length * BAR} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {values.map((value, at) => {
        const height = value === 0 ? 0 : Math.max(2, (value / top) * HEIGHT);
        return (
          <rect key={at} class="c-fail" x={at * BAR} y={HEIGHT - height} width={BAR - 1} height={height} />
        );
      })}
    </svg>
  );
}
