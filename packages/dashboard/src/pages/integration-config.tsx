import type { Integration } from '@hubline/sdk';
import { client } from '../api/client.ts';
import { CheckboxGroup } from '../components/checkbox-group.tsx';
import { Form } from '../components/form.tsx';
import { TextField } from '../components/text-field.tsx';
import { toast } from '../components/toast.tsx';

const TRIGGERS = [
  { value: 'event.created', label: 'event.created', hint: 'An event came from any integration or the API.' },
  { value: 'integration.connected', label: 'integration.connected', hint: 'An integration was added.' },
  { value: 'user.invited', label: 'user.invited', hint: 'Somebody was invited to the workspace.' },
];

const SEVERITIES = ['critical', 'high', 'medium', 'low'].map((value) => ({ value, label: value }));

const CHANNELS: Readonly<Record<string, { readonly placeholder: string; readonly hint: string }>> = {
  github: {
    placeholder: 'octo-org/hello-world#1',
    hint: 'owner/repo#1 comments on that issue; owner/repo opens a new one for each notification.',
  },
};

interface IntegrationConfigFormProps {
  readonly integration: Integration;
  readonly blocked: string | undefined;
  readonly onSaved: (integration: Integration) => void;
}

/** The notification settings of an integration. */
export function IntegrationConfigForm({ integration, blocked, onSaved }: IntegrationConfigFormProps) {
  const { config, provider, integration_id } = integration;
  const chosen = config.notify_on ?? [];
  const severities = config.filters?.severity ?? [];
  const named = (value: string) => TRIGGERS.some((trigger) => trigger.value === value);
  return (
    <section class="card">
      <h2>Notifications</h2>
      <Form
        key={JSON.stringify(config)}
        submit="Save"
        blocked={blocked}
        width="narrow"
        action={async (fields) => {
          const channel = fields.text('channel');
          const types = fields
            .text('types')
            .split(/[\s,]+/)
            .filter(Boolean);
          const severity = fields.all('severity');
          onSaved(
            await client.integrations.update(integration_id, {
              config: {
                ...(channel !== '' && { channel }),
                notify_on: [...new Set([...fields.all('notify_on'), ...types])],
                ...(severity.length > 0 && { filters: { severity } }),
              },
            }),
          );
          toast('The notifications are changed.');
        }}
      >
        <TextField
          name="channel"
          label="Channel"
          value={config.channel ?? ''}
          autoComplete="off"
          {...(CHANNELS[provider] ?? { hint: 'Where notifications go.' })}
        />
        <CheckboxGroup name="notify_on" label="Notify on" value={chosen.filter(named)} options={TRIGGERS} />
        <TextField
          name="types"
          label="Event types to notify on"
          mono
          value={chosen.filter((each) => !named(each)).join(', ')}
          placeholder="deployment, workflow_run"
          autoComplete="off"
          hint="Several are separated by commas."
        />
        <CheckboxGroup
          name="severity"
          label="Severities"
          hint="None ticked: all."
          value={severities}
          options={[
            ...SEVERITIES,
            // What was set by a program stays.
            ...severities
              .filter((each) => !SEVERITIES.some(({ value }) => value === each))
              .map((value) => ({ value, label: value })),
          ]}
        />
      </Form>
    </section>
  );
}
