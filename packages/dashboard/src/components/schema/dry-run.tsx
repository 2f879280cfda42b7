import type { ConditionVerdict } from '@hubline/sdk';
import type { ComponentChildren } from 'preact';
import { errorMessage } from '../page/error-panel.tsx';
import { Mark, type MarkName } from '../icons/mark.tsx';
import { Foreign } from '../text/foreign.tsx';

interface VerdictLineProps {
  readonly mark: MarkName;
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** The result of a dry run, in one line with its reason. */
export function VerdictLine({ mark, title, children }: VerdictLineProps) {
  return (
    <div class="run" role="status">
      <Mark name={mark} />
      <span class="grow">
        <b>{title}</b>
        <span class="d">{children}</span>
      </span>
    </div>
  );
}

/** The reason why there is no result; nothing if there is one. */
export const NoResult = ({ of: { error } }: { of: { readonly error?: unknown } }) =>
  error === undefined ? null : (
    <VerdictLine mark="fail" title="Not ready">
      {errorMessage(error)}
    </VerdictLine>
  );

/** Every comparison with the value that it found. */
export function VerdictList({ verdicts }: { verdicts: readonly ConditionVerdict[] | null }) {
  if (!verdicts) return null;
  return (
    <ul class="steps-log" aria-label="Conditions">
      {verdicts.map(({ path, field, op, found, matched, note }) => (
        <li key={path}>
          <Mark name={matched ? 'ok' : 'off'} label={matched ? 'Met' : 'Not met'} />
          <code>
            {field} {op}
          </code>
          <span class="end clip" title={note}>
            {note ?? (found === null ? 'nothing' : <Foreign text={found} />)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The part of a trigger or filter that an event does not match, in words. */
export const REFUSED: Readonly<Record<string, string>> = {
  enabled: 'It is switched off.',
  trigger: 'The trigger is different.',
  notify_on: 'The trigger is different.',
  types: 'The event has a different type.',
  sources: 'The event comes from a different source.',
  integration_ids: 'The event came through a different integration.',
  filters: 'The event has a different severity.',
  conditions: 'The conditions are not met.',
};
