import type { Automation, AutomationUpdate } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useLocation, useRoute } from 'preact-iso/router';
import { useMemo } from 'preact/hooks';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { Toggle } from '../../components/controls/toggle.tsx';
import { toastError } from '../../components/dialogs/toast.tsx';
import { Tabs } from '../../components/page/tabs.tsx';
import { EditorPage, Loaded } from '../../components/schema/editor-page.tsx';
import { NoResult } from '../../components/schema/dry-run.tsx';
import { useSample } from '../../components/schema/sample-event.tsx';
import { useDraft } from '../../components/schema/use-draft.ts';
import { verdictsAt } from '../../components/schema/verdicts.ts';
import { useAction } from '../../data/queries/use-action.ts';
import { useQuery } from '../../data/queries/use-query.ts';
import { useDryRun } from '../../data/queries/use-dry-run.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useAllProviders } from '../integrations/definitions/use-definitions.ts';
import { integrationOptions, useIntegrations } from '../integrations/use-integrations.ts';
import { useTemplates } from '../templates/use-templates.ts';
import { actionKinds, automationIssues, triggerOf } from './actions.ts';
import { AutomationDryRun } from './automation-dry-run.tsx';
import { AutomationFlow } from './automation-flow.tsx';
import { AutomationRuns } from './automation-runs.tsx';

export function AutomationPage() {
  const workspace = useWorkspace();
  const id = useRoute().params['id'] ?? '';
  const query = useQuery(
    (signal) => client.automations.get(workspace.id, id, { signal }),
    ['automations', workspace.id, id],
  );
  return (
    <Loaded query={query} title="Automation" parent={PARENT}>
      {(stored) => <Editor stored={stored} onSaved={query.set} />}
    </Loaded>
  );
}

const PARENT = { label: 'Automations', page: 'automations' };

const TABS = { try: 'Dry run', event: 'Event', runs: 'Runs' } as const;

interface EditorProps {
  readonly stored: Automation;
  readonly onSaved: (automation: Automation) => void;
}

function Editor({ stored, onSaved }: EditorProps) {
  const workspace = useWorkspace();
  const { route } = useLocation();
  const { id } = stored;
  const integrations = useIntegrations(workspace.id);
  const providers = useAllProviders();
  const templates = useTemplates(workspace.id);
  const connected = [...(integrations?.values() ?? [])];
  const kinds = useMemo(
    () => actionKinds(connected, providers ?? [], templates ?? []),
    [integrations, providers, templates],
  );
  const forbidden = workspace.viewOnly('edit_automations');
  const update = (changes: AutomationUpdate) => client.automations.update(workspace.id, id, changes);
  const draft = useDraft({
    stored,
    issues: (values) => automationIssues(values, kinds),
    read: () => client.automations.get(workspace.id, id),
    save: update,
    onSaved,
  });
  const trigger = triggerOf(draft.values);
  const types = trigger['types'] as readonly string[] | undefined;
  const sample = useSample(types);
  // Other triggers have no event: the server makes up their data.
  const takesEvents = /^(event|manual)/.test(String(trigger['event']));
  const body = {
    event_id: takesEvents ? sample.id : undefined,
    ...(draft.dirty && { changes: draft.changes }),
  };
  const result = useDryRun(
    (signal) => client.automations.test(workspace.id, id, body, { signal }),
    forbidden === undefined ? JSON.stringify([body, stored.updated_at]) : undefined,
  );
  const tab = useSignal(forbidden === undefined ? 'try' : 'runs');
  const verdicts = [
    ...verdictsAt('conditions', result.data?.conditions ?? null),
    ...(result.data?.steps ?? []).flatMap((step, index) =>
      verdictsAt(`actions[${index}].if`, step.conditions),
    ),
  ];

  const start = useAction(async () => {
    try {
      const run = await client.automations.run(workspace.id, id, { event_id: sample.id });
      route(workspace.href(`automations/${id}/runs/${run.id}`));
    } catch (error) {
      toastError(error);
    }
  });
  async function enable(enabled: boolean): Promise<void> {
    try {
      onSaved(await update({ enabled }));
    } catch (error) {
      toastError(error);
    }
  }
  return (
    <EditorPage
      name={stored.name}
      parent={PARENT}
      draft={draft}
      forbidden={forbidden}
      result={result}
      verdicts={verdicts}
      note={
        <Toggle
          on={stored.enabled}
          label="Automation on"
          words
          blocked={forbidden}
          onChange={(on) => void enable(on)}
        />
      }
      lost="Its runs are deleted, too. Runs in progress stop before their next step."
      onDelete={() => client.automations.delete(workspace.id, id)}
    >
      <div class="editor">
        <AutomationFlow
          draft={draft}
          kinds={kinds}
          loaded={integrations !== undefined && providers !== undefined}
          integrations={integrationOptions(connected)}
          locked={forbidden !== undefined}
        />
        <aside class="runs" aria-label="Dry run, event and runs">
          <Tabs
            label="Dry run, event and runs"
            tabs={forbidden === undefined ? TABS : { event: TABS.event, runs: TABS.runs }}
            value={tab.value}
            onChange={(next) => (tab.value = next)}
          />
          {tab.value !== 'runs' && <div class="runs-head">{sample.picker}</div>}
          <div class="scroll" tabIndex={-1}>
            <div hidden={tab.value !== 'event'}>
              <p class="faint small pad">Click a value to insert its path into the field you last used.</p>
              {sample.tree}
            </div>
            {tab.value === 'runs' && <AutomationRuns automation={stored} />}
            {tab.value === 'try' && (
              <>
                <NoResult of={result} />
                {result.data && <AutomationDryRun result={result.data} />}
              </>
            )}
          </div>
          {tab.value === 'try' && (
            <div class="runs-foot">
              <span class="clip">A run does this for real.</span>
              <Button
                size="small"
                icon="play"
                blocked={draft.dirty ? 'Save the changes first.' : undefined}
                pending={start.pending}
                onClick={() => void start.run()}
              >
                {sample.id === undefined ? 'Run without an event' : 'Run on this event'}
              </Button>
            </div>
          )}
        </aside>
      </div>
    </EditorPage>
  );
}
