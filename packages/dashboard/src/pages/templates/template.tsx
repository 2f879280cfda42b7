import type { NotificationTemplate, NotificationTemplateUpdate, TemplatePreview } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { toast, toastError } from '../../components/dialogs/toast.tsx';
import { Tabs } from '../../components/page/tabs.tsx';
import { EditorPage, Loaded } from '../../components/schema/editor-page.tsx';
import { NoResult } from '../../components/schema/dry-run.tsx';
import { rememberField } from '../../components/schema/insert-path.ts';
import { useSample } from '../../components/schema/sample-event.tsx';
import { SchemaFields } from '../../components/schema/schema-fields.tsx';
import { issuesOf, put, type Spec, type Values } from '../../components/schema/spec.ts';
import { useDraft } from '../../components/schema/use-draft.ts';
import { useQuery } from '../../data/queries/use-query.ts';
import { useDryRun } from '../../data/queries/use-dry-run.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { Forms, FORMS } from './forms.tsx';

export function TemplatePage() {
  const workspace = useWorkspace();
  const id = useRoute().params['id'] ?? '';
  const query = useQuery(
    (signal) => client.notificationTemplates.get(workspace.id, id, {}, { signal }),
    ['notification-templates', workspace.id, id],
  );
  return (
    <Loaded query={query} title="Template" parent={PARENT}>
      {(stored) => <Editor stored={stored} onSaved={query.set} />}
    </Loaded>
  );
}

const PARENT = { label: 'Templates', page: 'templates' };

const ABOUT: readonly Spec[] = [
  { name: 'name', label: 'Name', required: true },
  { name: 'sample_event_type', label: 'Written for events of type', placeholder: 'any' },
  { name: 'subject', label: 'Subject', insert: 'template', placeholder: 'One line about what happened' },
];

const formSpec = (name: string): Spec => ({
  name,
  label: FORMS[name as keyof typeof FORMS],
  kind: ['text', 'markdown', 'html'].includes(name) ? 'area' : 'json',
  insert: 'template',
  required: name === 'text',
  hint:
    name === 'text' ? 'For every channel without its own form.' : 'Optional. Texts in it are Liquid, too.',
});

const bodyOf = (values: Values) => (values['body'] ?? {}) as Values;

interface EditorProps {
  readonly stored: NotificationTemplate;
  readonly onSaved: (template: NotificationTemplate) => void;
}

function Editor({ stored, onSaved }: EditorProps) {
  const workspace = useWorkspace();
  const { id, version } = stored;
  const forbidden = workspace.viewOnly('edit_automations');
  const draft = useDraft({
    stored,
    issues: (values) => [
      ...issuesOf(ABOUT, values),
      ...issuesOf(Object.keys(FORMS).map(formSpec), bodyOf(values), 'body.'),
    ],
    read: () => client.notificationTemplates.get(workspace.id, id),
    save: (changes: NotificationTemplateUpdate) =>
      client.notificationTemplates.update(workspace.id, id, changes),
    onSaved,
  });
  const { values } = draft;
  const form = useSignal('text');
  const type = values['sample_event_type'] as string | null;
  const sample = useSample(type ? [type] : null);
  const { subject, body } = draft.changes as Pick<TemplatePreview, 'subject' | 'body'>;
  const request = { event_id: sample.id, subject, body };
  const result = useDryRun(
    (signal) => client.notificationTemplates.preview(workspace.id, id, request, { signal }),
    sample.id !== undefined ? JSON.stringify([request, version]) : undefined,
  );
  async function restore(before: number): Promise<void> {
    try {
      const old = await client.notificationTemplates.get(workspace.id, id, { version: before });
      draft.set({ ...values, subject: old.subject, body: old.body });
      toast(`Version ${before} is in the editor. Saving makes it the newest.`);
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
      note={
        <select
          class="input pick"
          aria-label="Version"
          value={version}
          onChange={({ currentTarget }) => void restore(Number(currentTarget.value))}
        >
          {Array.from({ length: version }, (_, at) => version - at).map((each) => (
            <option key={each} value={each}>
              Version {each}
            </option>
          ))}
        </select>
      }
      lost="All its versions are deleted. A template in use cannot be deleted."
      onDelete={() => client.notificationTemplates.delete(workspace.id, id)}
    >
      <div class="panes template">
        <section aria-label="Template">
          <div class="scroll" tabIndex={-1}>
            <fieldset class="pane-body bare" disabled={forbidden !== undefined} onFocusIn={rememberField}>
              <SchemaFields specs={ABOUT} values={values} onChange={draft.set} />
              <Tabs label="Forms" tabs={FORMS} value={form.value} onChange={(next) => (form.value = next)} />
              <SchemaFields
                specs={[formSpec(form.value)]}
                values={bodyOf(values)}
                path="body."
                onChange={(next) => draft.set(put(values, 'body', next))}
              />
            </fieldset>
            <p class="faint small pad">Click a value to insert its path into the field you last used.</p>
            {sample.tree}
          </div>
        </section>
        <aside class="board" aria-label="Preview">
          <div class="pane-head">
            <h2>Preview</h2>
            <span class="end">{sample.picker}</span>
          </div>
          <div class="scroll" tabIndex={-1}>
            <NoResult of={result} />
            <div class="pane-body close">
              {result.data && <Forms rendered={result.data} />}
              {sample.id === undefined && <p class="faint">The preview appears with the first event.</p>}
            </div>
          </div>
        </aside>
      </div>
    </EditorPage>
  );
}
