import type { Plan, Workspace } from '@hubline/sdk';
import { useLocation } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { setMemberships } from '../../api/session.ts';
import { Button } from '../../components/controls/button.tsx';
import { Form, type FormFields } from '../../components/fields/form.tsx';
import { Id } from '../../components/text/id.tsx';
import { Page } from '../../components/page/page.tsx';
import { Section } from '../../components/page/section.tsx';
import { QueryState } from '../../components/page/loading.tsx';
import { differing, refuseOvertaken } from '../../components/schema/spec.ts';
import { SelectField } from '../../components/fields/select-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Time } from '../../components/text/time.tsx';
import { toast } from '../../components/dialogs/toast.tsx';
import { useFilters } from '../../data/address/use-filters.ts';
import { type Query, useQuery } from '../../data/queries/use-query.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { DangerZone } from './danger-zone.tsx';
import { NewWorkspaceDialog } from './new-workspace.tsx';

export function SettingsPage() {
  const workspace = useWorkspace();
  const { values, set } = useFilters(['new']);
  const settings = useQuery(
    (signal) => client.workspaces.get(workspace.id, { signal }),
    ['workspaces', workspace.id],
  );
  return (
    <Page
      title="Settings"
      actions={
        <Button icon="plus" onClick={() => set({ new: 'workspace' })}>
          New workspace
        </Button>
      }
    >
      <QueryState of={settings} />
      {settings.data && (
        <div class="sheet-2">
          <div class="col">
            <NameForm workspace={settings.data} settings={settings} />
          </div>
          <div class="col">
            <PlanForm workspace={settings.data} settings={settings} />
            <DangerZone />
          </div>
        </div>
      )}
      <NewWorkspaceDialog open={values.new === 'workspace'} onClose={() => set({ new: undefined })} />
    </Page>
  );
}

interface SettingsFormProps {
  readonly workspace: Workspace;
  readonly settings: Query<Workspace>;
}

function NameForm({ workspace, settings }: SettingsFormProps) {
  const { viewOnly } = useWorkspace();
  const { route } = useLocation();
  const { id, name, slug } = workspace;
  return (
    <Section title="General">
      <Form
        stored={`${name} ${slug}`}
        submit="Save"
        rows
        locked={viewOnly('manage_workspace')}
        action={async (fields, before) => {
          const bodyOf = (each: FormFields) => ({ name: each.text('name'), slug: each.text('slug') });
          const changes = differing(bodyOf(fields), bodyOf(before));
          refuseOvertaken(changes, bodyOf(before), await client.workspaces.get(id));
          const changed = await client.workspaces.update(id, changes);
          settings.set(changed);
          // Changed together with the route: in between, this address would have no workspace.
          setMemberships((all) =>
            all.map((each) =>
              each.workspace_id === id ? { ...each, name: changed.name, slug: changed.slug } : each,
            ),
          );
          if (changed.slug !== slug) route(`/w/${changed.slug}/settings`, true);
          toast('Saved the workspace.');
        }}
      >
        <TextField name="name" label="Name" value={name} />
        <TextField
          name="slug"
          label="Slug"
          value={slug}
          mono
          hint={`${location.host}/w/${slug}. Links with the old slug stop working.`}
        />
        <div class="field">
          <b>Workspace ID</b>
          <Id value={id} />
          <span class="hint">
            Created <Time value={workspace.created_at} />
          </span>
        </div>
      </Form>
    </Section>
  );
}

const PLANS: Readonly<Record<Plan, string>> = { free: 'Free', team: 'Team', enterprise: 'Enterprise' };

const isPlan = (text: string): text is Plan => text in PLANS;

function PlanForm({ workspace, settings }: SettingsFormProps) {
  const { viewOnly } = useWorkspace();
  return (
    <Section title="Plan">
      <Form
        stored={workspace.plan}
        submit="Change plan"
        rows
        locked={viewOnly('manage_billing')}
        action={async (fields, before) => {
          const plan = fields.text('plan');
          if (!isPlan(plan)) return;
          const begun = { plan: before.text('plan') };
          refuseOvertaken({ plan }, begun, await client.workspaces.get(workspace.id));
          settings.set(await client.workspaces.update(workspace.id, { plan }));
          toast(`The plan is now ${PLANS[plan]}.`);
        }}
      >
        <SelectField name="plan" label="Plan" value={workspace.plan} options={PLANS} />
      </Form>
    </Section>
  );
}
