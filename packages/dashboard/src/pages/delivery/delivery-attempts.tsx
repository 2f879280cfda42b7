import { LIMITS } from '@hubline/contract/constants';
import type { Attempt, DeliveryDetail } from '@hubline/sdk';
import { Mark } from '../../components/icons/mark.tsx';
import { ResponseCode } from '../../components/text/response-code.tsx';
import { Countdown } from '../../components/text/countdown.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { Time } from '../../components/text/time.tsx';
import { formatDelay, formatDuration } from '../../data/formats/format-number.ts';
import { failureWords } from '../deliveries/causes/failure-words.ts';

const DELAYS = LIMITS.retryDelaysMs;

const REASONS: Readonly<Record<string, string>> = {
  manual: 'manual retry',
  recovery: 'recovery',
  test: 'test call',
};

interface DeliveryAttemptsProps {
  readonly delivery: DeliveryDetail;
  /** The attempt whose request and response are shown. */
  readonly shown: Attempt | undefined;
  readonly onShow: (attempt: Attempt) => void;
}

/** The attempts as a timeline: past ones, the next one, and those that follow if it fails. */
export function DeliveryAttempts({ delivery, shown, onShow }: DeliveryAttemptsProps) {
  const { attempts, next_attempt_at: next, status } = delivery;
  // Retries that a person started are extra attempts, which do not advance the schedule.
  const scheduled = attempts.filter(({ trigger }) => trigger !== 'manual' && trigger !== 'recovery').length;
  const planned = status === 'retrying' && next !== null ? DELAYS.slice(scheduled + 1) : [];
  return (
    <ol class="attempts">
      {attempts.map((attempt) => (
        <li key={attempt.id} class="att" aria-current={attempt.id === shown?.id ? 'true' : undefined}>
          <span class="dot">
            <Mark name={isGood(attempt) ? 'ok' : 'fail'} label={isGood(attempt) ? 'Succeeded' : 'Failed'} />
          </span>
          <button type="button" class="box" onClick={() => onShow(attempt)}>
            <span class="top">
              Attempt {attempt.attempt}
              <ResponseCode status={attempt.response_status} error={attempt.error?.kind} />
              <span class="num">
                <Time value={attempt.started_at} />
              </span>
            </span>
            <span class="blk small dim clip">
              <Said attempt={attempt} />, {formatDuration(attempt.duration_ms)}
              {attempt.trigger in REASONS && `, ${REASONS[attempt.trigger]}`}
            </span>
            <span class="dur">
              <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect
                  class={isGood(attempt) ? 'k' : 'f'}
                  width={Math.max(1, (attempt.duration_ms / LIMITS.attemptTimeoutMs) * 100)}
                  height="4"
                  rx="1"
                />
              </svg>
            </span>
          </button>
        </li>
      ))}
      {next !== null && (
        <li class="att future">
          <span class="dot">
            <Mark name="retry" />
          </span>
          <div class="box">
            <div class="top">
              Attempt {delivery.attempt_count + 1}
              <span class="num">
                <Countdown until={next} />
              </span>
            </div>
          </div>
        </li>
      )}
      {planned.map((delay, at) => (
        <li class="att future" key={delay}>
          <span class="dot">
            <Mark name="wait" />
          </span>
          <div class="box">
            <div class="top">
              Attempt {delivery.attempt_count + 2 + at}
              <span class="num">{formatDelay(delay)} later</span>
            </div>
            <p>{at === planned.length - 1 ? 'The last one, then it fails' : 'If that fails'}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}

/** The error, or the meaning of the status. */
function Said({ attempt: { error, response_status: status } }: { attempt: Attempt }) {
  if (error) return <Foreign text={error.message} />;
  return <>{failureWords(status, null)}</>;
}

const isGood = ({ response_status: code }: Attempt): boolean => code !== null && code >= 200 && code < 300;
