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
          const bodyOf = (each: FormFields) => ({
            name: each.text('name') || null,
            config: { ...config, channel: each.text('channel') || undefined },
          });
          const begun = bodyOf(before);
          const changes = differing(bodyOf(fields), begun);
          // Not with `integration`, which the page may have read again since.
          refuseOvertaken(changes, begun, await client.integrations.get(integration_id));
          onSaved(await client.integrations.update(integration_id, changes));
          toast('Saved the integration.');
        }}
      >
        <TextField
          name="name"
          label="Name"
          value={name ?? ''}
          hint="Tells this integration apart from others of the same tool."
        />
        <TextField
          name="channel"
          label="Channel"
          value={config.channel ?? ''}
          {...(CHANNELS[provider] ?? { hint: 'Where test notifications go.' })}
        />
      </Form>
    </section>
  );
}
