import type { RuleTestResult } from '@hubline/sdk';
import { Mark } from '../../components/icons/mark.tsx';
import { REFUSED, VerdictLine, VerdictList } from '../../components/schema/dry-run.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { Time } from '../../components/text/time.tsx';
import { Forms } from '../templates/forms.tsx';
import { KINDS } from './rule-specs.ts';

/** The effect of a rule on an event: its verdicts, everywhere it would send, and the text. */
export function RulePreview({ result }: { result: RuleTestResult }) {
  const {
    matched,
    refused_by: refused,
    conditions,
    destinations,
    rendered,
    send_at: at,
    dedupe_key: key,
  } = result;
  return (
    <>
      <VerdictLine
        mark={matched ? 'ok' : 'off'}
        title={matched ? 'This event would send a message' : 'This event would send no message'}
      >
        {refused === null ? 'Nothing was sent.' : REFUSED[refused]}
      </VerdictLine>
      <VerdictList verdicts={conditions} />
      <div class="pane-body close">
        <ul class="rows" aria-label="Destinations">
          {destinations.map(({ kind, to, problem }) => (
            <li class="dest" key={kind + to}>
              <Mark name={problem === null ? 'ok' : 'fail'} />
              <span class="grow">
                <b class="strong">
                  <Foreign text={to} />
                </b>
                <small>{problem ?? KINDS[kind as keyof typeof KINDS]}</small>
              </span>
            </li>
          ))}
        </ul>
        {at !== null && (
          <p class="faint small">
            Sent at <Time value={at} />: quiet hours or a digest hold it until then.
          </p>
        )}
        {key !== null && (
          <p class="faint small">
            Repeats are recognized by <code>{key}</code>
          </p>
        )}
        <Forms rendered={rendered} />
      </div>
    </>
  );
}
