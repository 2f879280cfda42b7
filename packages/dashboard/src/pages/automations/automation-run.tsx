import type { AutomationRunDetail } from '@hubline/sdk';
import { useRoute } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { Page } from '../../components/page/page.tsx';
import { Section } from '../../components/page/section.tsx';
import { QueryState } from '../../components/page/loading.tsx';
import { Id } from '../../components/text/id.tsx';
import { JsonViewer } from '../../components/code/json-viewer.tsx';
import { Status, statusWord } from '../../components/text/status.tsx';
import { Time } from '../../components/text/time.tsx';
import { formatDuration } from '../../data/formats/format-number.ts';
import { useAction } from '../../data/queries/use-action.ts';
import { useRefreshed } from '../../data/queries/use-refreshed.ts';
import { useWorkspace } from '../../session/workspace.ts';

/** A run, with the request and the response of each step. */
export function AutomationRunPage() {
  const workspace = useWorkspace();
  const { id = '', run: runId = '' } = useRoute().params;
  const query = useRefreshed(
    (signal) => client.automations.getRun(workspace.id, id, runId, { signal }),
    ['automations', workspace.id, id, 'runs', runId],
    { everyMs: 1_000, isDone: ({ completed_at: at }) => at !== null },
  );
  const forbidden = workspace.refusal('edit_automations');
  const act = useAction(async (what: 'cancelRun' | 'retryRun') => {
    const run = await client.automations[what](workspace.id, id, runId);
    query.set({ ...run, steps: query.data?.steps ?? [] });
    query.reload();
  });
  const run = query.data;
  const again = run?.status === 'failed' || run?.status === 'cancelled';
  return (
    <Page
      title={run ? `Run of ${run.automation_name}` : 'Run'}
      parent={{ label: run?.automation_name ?? 'Automation', href: workspace.href(`automations/${id}`) }}
      note={run && <Status status={run.status} pill />}
      meta={run && <Facts run={run} href={workspace.href} />}
      actions={
        run &&
        (again || run.completed_at === null) && (
          <Button
            icon={again ? 'retry' : 'x'}
            kind={again ? 'primary' : 'danger'}
            blocked={forbidden}
            pending={act.pending}
            onClick={() => void act.run(again ? 'retryRun' : 'cancelRun')}
          >
            {again
              ? `Run again from ${run.steps.findLast(({ status }) => status !== 'succeeded')?.action_id ?? 'the first step'}`
              : 'Cancel'}
          </Button>
        )
      }
    >
      <QueryState of={query} />
      <ErrorPanel of={act} />
      {run?.error != null && (
        <Notice tone={run.status === 'failed' ? 'bad' : 'warn'} title={statusWord(run.status)}>
          <p>{run.error}</p>
        </Notice>
      )}
      {run?.steps.map((step) => (
        <Section
          key={step.action_id}
          title={step.action_id}
          note={
            <>
              {step.type}
              {step.attempt > 1 && `, attempt ${step.attempt}`},{' '}
              <Time value={step.started_at} none="not started" />
            </>
          }
          actions={<Status status={step.status} />}
        >
          {step.error !== null && <p class="bad-t">{step.error}</p>}
          {(step.request ?? step.response) && (
            <div class="io">
              <JsonViewer text={JSON.stringify(step.request)} label={`Request of ${step.action_id}`} />
              {step.response && (
                <JsonViewer text={JSON.stringify(step.response)} label={`Response to ${step.action_id}`} />
              )}
            </div>
          )}
        </Section>
      ))}
      {run?.steps.length === 0 && <p class="faint">No step has begun.</p>}
    </Page>
  );
}

function Facts({ run, href }: { run: AutomationRunDetail; href: (page: string) => string }) {
  return (
    <>
      <Id value={run.id} />
      <span>
        Started by {run.trigger}, <Time value={run.created_at} />
      </span>
      {run.event_id !== null && <Id value={run.event_id} href={href(`events/${run.event_id}`)} />}
      {run.duration_ms !== null && <span>{formatDuration(run.duration_ms)}</span>}
      {run.resume_at !== null && (
        <span>
          Resumes <Time value={run.resume_at} />
        </span>
      )}
    </>
  );
}
