import type { Integration } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { Form, type FormFields } from '../../components/fields/form.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { differing, refuseOvertaken } from '../../components/schema/spec.ts';
import { toast } from '../../components/dialogs/toast.tsx';

const CHANNELS: Readonly<Record<string, { readonly placeholder: string; readonly hint: string }>> = {
  github: {
    placeholder: 'octo-org/hello-world#1',
    hint: 'owner/repo#1 comments on that issue; owner/repo opens a new one for each.',
  },
};

interface IntegrationConfigFormProps {
  readonly integration: Integration;
  readonly locked: string | undefined;
  readonly onSaved: (integration: Integration) => void;
}

/** The name of an integration, and the destination of its notifications. Other settings stay as they are. */
export function IntegrationConfigForm({ integration, locked, onSaved }: IntegrationConfigFormProps) {
  const { config, name, provider, integration_id } = integration;
  return (
    <section class="card pad">
      <h2>Name and notifications</h2>
      <Form
        stored={JSON.stringify([name, config])}
        submit="Save"
        locked={locked}
        width="narrow"
        action={async (fields, before) => {
          const { channel: _before, ...others } = config;
          const bodyOf = (each: FormFields) => {
            const channel = each.text('channel');
            return {
              name: each.text('name') || null,
              config: channel === '' ? others : { ...others, channel },
            };
          };
          const changes = differing(bodyOf(fields), bodyOf(before));
          // The page may have read the integration again since.
          const seen = {
            name: bodyOf(before).name,
            config: { ...config, channel: before.text('channel') || undefined },
          };
          refuseOvertaken(changes, seen, await client.integrations.get(integration_id));
          onSaved(await client.integrations.update(integration_id, changes));
          toast('Saved the integration.');
        }}
      >
        <TextField
          name="name"
          label="Name"
          value={name ?? ''}
          autoComplete="off"
          hint="Tells this integration apart from others of the same tool."
        />
        <TextField
          name="channel"
          label="Channel"
          value={config.channel ?? ''}
          autoComplete="off"
          {...(CHANNELS[provider] ?? { hint: 'Where test notifications go.' })}
        />
      </Form>
    </section>
  );
}
