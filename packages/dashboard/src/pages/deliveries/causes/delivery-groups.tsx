import type { StatsFailure, StatsWebhookFailure, Webhook } from '@hubline/sdk';
import { useWorkspace } from '../../../session/workspace.ts';
import { ResponseCode } from '../../../components/text/response-code.tsx';
import { Foreign } from '../../../components/text/foreign.tsx';
import { Time } from '../../../components/text/time.tsx';
import { formatCount } from '../../../data/formats/format-number.ts';
import { WebhookName, webhookName } from '../../webhooks/webhook-name.tsx';
import { failureWords } from './failure-words.ts';
import { RetryGroup } from '../retry/retry-group.tsx';

interface DeliveryGroupsProps {
  /** The receiver's `message` is known only on the page of a webhook. */
  readonly failures: readonly (StatsWebhookFailure & Partial<Pick<StatsFailure, 'message'>>)[];
  /** Absent on the page of a webhook, where every group is about that webhook. */
  readonly webhooks?: ReadonlyMap<string, Webhook> | undefined;
  readonly onSent: () => void;
}

const BAR = 5;
const HEIGHT = 20;

/** Failed attempts grouped by the receiver's response; each group has one retry for all its deliveries. */
export function DeliveryGroups({ failures, webhooks, onSent }: DeliveryGroupsProps) {
  const workspace = useWorkspace();
  const nameOf = (id: string) => (webhooks ? webhookName(webhooks.get(id), id) : 'this webhook');
  return (
    <table class={webhooks ? 'tbl edge stacks' : 'tbl stacks'}>
      <caption class="sr">Failures by cause</caption>
      <thead>
        <tr>
          <th scope="col">Response</th>
          <th scope="col">Cause</th>
          {webhooks && <th scope="col">Webhook</th>}
          <th scope="col" class="end">
            Failed attempts
          </th>
          <th scope="col" class="hide-first">
            When
          </th>
          <th scope="col" class="hide-first">
            First
          </th>
          <th scope="col">Last</th>
          <th scope="col">
            <span class="sr">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {failures.map((failure) => (
          <tr key={`${failure.webhook_id} ${failure.response_status} ${failure.error_kind}`}>
            <td data-label="Response">
              <ResponseCode status={failure.response_status} error={failure.error_kind} />
            </td>
            <td data-label="Cause" class="fill clip">
              <a href={workspace.href(listOf(failure))} class="strong">
                {failureWords(failure.response_status, failure.error_kind)}
              </a>
              {failure.message && (
                <span class="said-in-row">
                  <Foreign text={failure.message} />
                </span>
              )}
            </td>
            {webhooks && (
              <td data-label="Webhook">
                <WebhookName id={failure.webhook_id} webhooks={webhooks} />
              </td>
            )}
            <td data-label="Failed attempts" class="end num strong">
              {formatCount(failure.attempts)}
            </td>
            <td data-label="When" class="hide-first">
              <Bars values={failure.parts} />
            </td>
            <td data-label="First" class="hide-first">
              <Time value={failure.first_at} />
            </td>
            <td data-label="Last">
              <Time value={failure.last_at} />
            </td>
            <td class="end">
              <RetryGroup failure={failure} name={nameOf(failure.webhook_id)} onSent={onSent} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A link to the list with only the deliveries of a group. */
const listOf = ({ webhook_id, response_status: status, error_kind: error }: StatsWebhookFailure): string =>
  `deliveries?webhook=${webhook_id}&${status === null ? `error=${error}` : `code=${status}`}`;

/** The times of the failures, from the first to now. Decoration: the first and the last time are beside it. */
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
        // A low bar where nothing failed, so that the strip shows the whole period.
        const height = value === 0 ? 1 : Math.max(2, (value / top) * HEIGHT);
        const look = value === 0 ? 'c-none' : 'c-fail';
        return (
          <rect key={at} class={look} x={at * BAR} y={HEIGHT - height} width={BAR - 1} height={height} />
        );
      })}
    </svg>
  );
}
