import { LIMITS } from '@hubline/contract/constants';
import type { Attempt, DeliveryDetail } from '@hubline/sdk';
import { Countdown } from '../../components/text/countdown.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { Icon } from '../../components/icons/icon.tsx';
import { CodeBlock } from '../../components/text/code-block.tsx';
import { Section } from '../../components/page/section.tsx';
import { Status } from '../../components/text/status.tsx';
import { TimeAgo } from '../../components/text/time-ago.tsx';
import { formatDuration } from '../../data/format-number.ts';
import { headersOf, SIGNATURES } from './delivery-headers.ts';

/** The delays of the schedule, for people. */
const SCHEDULE = LIMITS.retryDelaysMs.map((ms) => `${formatDelay(ms)} later`);
/** Shorter than this in characters, a body of 4 KiB was not cut, unless it is in another script: then it is not said. */
const KEPT_BODY = 4_000;

/** Each attempt, what came back, and those that are still to come. */
export function DeliveryAttempts({ delivery }: { delivery: DeliveryDetail }) {
  const { attempts, next_attempt_at: next, status } = delivery;
  // Those that somebody asked for are extra ones, and leave the schedule where it was.
  const scheduled = attempts.filter(({ trigger }) => trigger !== 'manual' && trigger !== 'recovery').length;
  const planned = status === 'retrying' && next !== null ? SCHEDULE.slice(scheduled + 1) : [];
  return (
    <Section title="Attempts" description={about(delivery)}>
      <ol class="attempts">
        {attempts.map((attempt, at) => (
          <AttemptItem
            key={attempt.id}
            attempt={attempt}
            delivery={delivery}
            open={at === attempts.length - 1}
          />
        ))}
        {next !== null && (
          <li class="attempt-planned" key="next">
            <span class="attempt-number">{attempts.length + 1}</span>
            <Countdown until={next} />
          </li>
        )}
        {planned.map((wait, at) => (
          <li class="attempt-planned muted" key={wait}>
            <span class="attempt-number">{attempts.length + 2 + at}</span>
            {wait}, if that fails
          </li>
        ))}
      </ol>
    </Section>
  );
}

function about({ status, attempts }: DeliveryDetail): string {
  if (attempts.length === 0 && status !== 'pending') return 'No attempt was made.';
  if (status === 'retrying')
    return `After ${SCHEDULE.length} attempts it counts as failed. Retries by hand do not count.`;
  if (status === 'failed') return 'No attempt is left. You can retry it.';
  return `A 2xx within ${formatDelay(LIMITS.attemptTimeoutMs)} counts as delivered.`;
}

interface AttemptItemProps {
  readonly attempt: Attempt;
  readonly delivery: DeliveryDetail;
  readonly open: boolean;
}

function AttemptItem({ attempt, delivery, open }: AttemptItemProps) {
  const { response_status: code, error, response_headers: headers, response_body: body } = attempt;
  return (
    <li>
      <details open={open}>
        <summary>
          <Icon name="right" size="s" />
          <span class="attempt-number">{attempt.attempt}</span>
          <Status status={error?.kind ?? ''} tone={isGood(attempt) ? 'ok' : 'bad'} label={outcome(attempt)} />
          <span class="num">{formatDuration(attempt.duration_ms)}</span>
          <span class="faint">
            <TimeAgo value={attempt.started_at} />
            {attempt.trigger === 'manual' && ', sent by hand'}
            {attempt.trigger === 'recovery' && ', sent by a recovery'}
          </span>
        </summary>
        <div class="attempt-body">
          {error && (
            <p class="attempt-error">
              <strong>{error.kind}</strong> <Foreign text={error.message} />
            </p>
          )}
          {code === null && <p class="faint">There was no answer.</p>}
          {body !== null && body !== '' && (
            <CodeBlock text={body} label={`Response body, attempt ${attempt.attempt}`} />
          )}
          {body !== null && body.length >= KEPT_BODY && (
            <p class="faint">Only the first 4 KiB of an answer are kept.</p>
          )}
          {body === '' && <p class="faint">The body of the answer is empty.</p>}
          {headers && (
            <CodeBlock text={asLines(headers)} label={`Response headers, attempt ${attempt.attempt}`} />
          )}
          <CodeBlock
            text={asLines(headersOf(delivery, attempt))}
            label={`Request headers, attempt ${attempt.attempt}`}
          />
          <p class="faint">
            Signatures are made for each attempt and not kept: {SIGNATURES.join(', ')} are not shown.
          </p>
        </div>
      </details>
    </li>
  );
}

const isGood = ({ response_status: code }: Attempt): boolean => code !== null && code >= 200 && code < 300;

/** `200`, `timeout`. */
const outcome = ({ response_status: code, error }: Attempt): string =>
  String(code ?? error?.kind ?? 'no answer');

const asLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** `5 seconds`, `2 minutes`. */
function formatDelay(ms: number): string {
  return ms % 60_000 === 0 ? `${ms / 60_000} minutes` : `${ms / 1_000} seconds`;
}
