import type { AutomationTestResult } from '@hubline/sdk';
import { Mark } from '../../components/icons/mark.tsx';
import { REFUSED, VerdictLine, VerdictList } from '../../components/schema/dry-run.tsx';
import { JsonViewer } from '../../components/code/json-viewer.tsx';

/** The effect that an event would have: every verdict, and every action with its templates filled in. */
export function AutomationDryRun({ result }: { result: AutomationTestResult }) {
  const { matched, refused_by: refused, conditions, steps } = result;
  return (
    <>
      <VerdictLine
        mark={matched ? 'ok' : 'off'}
        title={matched ? 'This event starts a run' : 'This event does not start a run'}
      >
        {refused === null ? 'Nothing was sent.' : REFUSED[refused]}
      </VerdictLine>
      <VerdictList verdicts={conditions} />
      {steps.map(({ action_id: id, type, runs, conditions: own, request, error }) => (
        <section key={id} class="tried" aria-label={`Step ${id}`}>
          <h2>
            <Mark name={error === null ? (runs ? 'ok' : 'off') : 'fail'} />
            {id}{' '}
            <span class="faint">
              {type}
              {runs ? '' : ', skipped'}
            </span>
          </h2>
          <VerdictList verdicts={own} />
          {error !== null && <p class="bad-t">{error}</p>}
          {request && <JsonViewer text={JSON.stringify(request)} label={`${id} would send`} />}
        </section>
      ))}
    </>
  );
}
