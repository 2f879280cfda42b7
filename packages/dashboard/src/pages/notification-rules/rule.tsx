import type { NotificationRule, NotificationRuleUpdate } from '@hubline/sdk';
import { useRoute } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { Toggle } from '../../components/controls/toggle.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { EditorPage, Loaded } from '../../components/schema/editor-page.tsx';
import { NoResult } from '../../components/schema/dry-run.tsx';
import { useSample } from '../../components/schema/sample-event.tsx';
import { useDraft } from '../../components/schema/use-draft.ts';
import { verdictsAt } from '../../components/schema/verdicts.ts';
import { useQuery } from '../../data/queries/use-query.ts';
import { useDryRun } from '../../data/queries/use-dry-run.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useIntegrations } from '../integrations/use-integrations.ts';
import { useMembers } from '../members/use-members.ts';
import { useTemplates } from '../templates/use-templates.ts';
import { useWebhooks } from '../webhooks/use-webhooks.ts';
import { RuleForm } from './rule-form.tsx';
import { RuleLog } from './rule-log.tsx';
import { RulePreview } from './rule-preview.tsx';
import { destinationsOf, ruleIssues } from './rule-specs.ts';

export function NotificationRulePage() {
  const workspace = useWorkspace();
  const id = useRoute().params['id'] ?? '';
  const query = useQuery(
    (signal) => client.notificationRules.get(workspace.id, id, { signal }),
    ['notification-rules', workspace.id, id],
  );
  return (
    <Loaded query={query} title="Notification rule" parent={PARENT}>
      {(stored) => <Editor stored={stored} onSaved={query.set} />}
    </Loaded>
  );
}

const PARENT = { label: 'Notification rules', page: 'notification-rules' };

interface EditorProps {
  readonly stored: NotificationRule;
  readonly onSaved: (rule: NotificationRule) => void;
}

function Editor({ stored, onSaved }: EditorProps) {
  const workspace = useWorkspace();
  const { id } = stored;
  const integrations = useIntegrations(workspace.id);
  const webhooks = useWebhooks(workspace.id);
  const members = useMembers();
  const templates = useTemplates(workspace.id);
  const server = useQuery((signal) => client.notifications.unread({ signal }), ['notifications', 'unread']);
  const forbidden = workspace.viewOnly('edit_automations');
  const draft = useDraft({
    stored,
    issues: ruleIssues,
    read: () => client.notificationRules.get(workspace.id, id),
    save: (changes: NotificationRuleUpdate) => client.notificationRules.update(workspace.id, id, changes),
    onSaved,
  });
  const { values } = draft;
  const sample = useSample(values['types'] as readonly string[] | null);
  // Other triggers have no event: the server makes up their data.
  const takesEvents = String(values['notify_on']).includes('event.created');
  const body = {
    event_id: takesEvents ? sample.id : undefined,
    ...(draft.dirty && { changes: draft.changes }),
  };
  const result = useDryRun(
    (signal) => client.notificationRules.test(workspace.id, id, body, { signal }),
    forbidden === undefined && (sample.id !== undefined || !takesEvents)
      ? JSON.stringify([body, stored.updated_at])
      : undefined,
  );
  const mails = destinationsOf(values).some(({ kind }) => kind === 'email');
  return (
    <EditorPage
      name={stored.name}
      parent={PARENT}
      draft={draft}
      forbidden={forbidden}
      result={result}
      verdicts={verdictsAt('conditions', result.data?.conditions ?? null)}
      note={
        <Toggle
          on={values['enabled'] === true}
          label="Rule on"
          words
          blocked={forbidden}
          onChange={(enabled) => draft.set({ ...values, enabled })}
        />
      }
      lost="Messages that wait for quiet hours or a digest are not sent."
      onDelete={() => client.notificationRules.delete(workspace.id, id)}
    >
      <div class="panes template">
        <section aria-label="Rule">
          <div class="scroll" tabIndex={-1}>
            {mails && server.data?.email === false && (
              <Notice tone="warn" title="This server sends no email">
                <p>
                  This rule sends no emails until the server’s operator sets <code>HUBLINE_SMTP_URL</code>.
                </p>
              </Notice>
            )}
            <RuleForm
              draft={draft}
              integrations={[...(integrations?.values() ?? [])]}
              webhooks={[...(webhooks?.values() ?? [])]}
              members={members}
              templates={templates ?? []}
              locked={forbidden !== undefined}
            />
          </div>
        </section>
        <aside class="board" aria-label="Dry run">
          <div class="pane-head">
            <h2>Dry run</h2>
            <span class="end">{sample.picker}</span>
          </div>
          <div class="scroll" tabIndex={-1}>
            <NoResult of={result} />
            {result.data && <RulePreview result={result.data} />}
            <RuleLog id={id} />
            {sample.tree}
          </div>
        </aside>
      </div>
    </EditorPage>
  );
}
