import type { Integration, Provider } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { toast } from '../../components/dialogs/toast.tsx';
import { Form } from '../../components/fields/form.tsx';
import { OverlapField } from '../../components/fields/overlap-field.tsx';
import { useWorkspace } from '../../session/workspace.ts';
import { type Connected, ConnectedDialog } from './connect/connected-dialog.tsx';
import { CredentialFields, credentialsOf } from './connect/credential-fields.tsx';
import { OAuthSection } from './connect/oauth-section.tsx';

interface IntegrationTasksProps {
  readonly integration: Integration;
  readonly name: string;
  /** Absent while the catalog loads, and when the server no longer has the provider. */
  readonly provider: Provider | undefined;
  readonly task: 'reconnect' | 'disconnect' | undefined;
  readonly onClose: () => void;
  readonly onReconnected: () => void;
}

/** The dialogs of an integration. */
export function IntegrationTasks({
  integration,
  name,
  provider,
  task,
  onClose,
  ...on
}: IntegrationTasksProps) {
  const workspace = useWorkspace();
  const { route } = useLocation();
  const connected = useSignal<Connected>();
  const { integration_id: id } = integration;
  return (
    <>
      <Dialog
        open={task === 'reconnect' && provider !== undefined}
        title={`Reconnect ${name}`}
        size="wide"
        onClose={onClose}
      >
        {provider && (
          <>
            <p class="faint">
              Fields that you leave empty keep their stored values, except for the host of a tool.
            </p>
            {provider.oauth && <OAuthSection provider={provider} integrationId={id} />}
            <Form
              submit="Reconnect"
              onCancel={onClose}
              action={async (fields) => {
                const credentials = credentialsOf(provider, fields);
                const reconnected = await client.integrations.reconnect(id, {
                  credentials,
                  remove: fields.all('remove'),
                  overlap_seconds: Number(fields.text('overlap_seconds')),
                });
                onClose();
                on.onReconnected();
                connected.value = { provider, integration: reconnected, credentials };
              }}
            >
              <CredentialFields provider={provider} stored />
              <OverlapField
                seconds={3_600}
                hint="Until then, calls with the old ingest secret are still accepted."
              />
            </Form>
          </>
        )}
      </Dialog>
      <ConnectedDialog connected={connected.value} onClose={() => (connected.value = undefined)} />

      <ConfirmDialog
        open={task === 'disconnect'}
        title={`Disconnect ${name}`}
        action="Disconnect"
        typeName={name}
        onClose={onClose}
        onConfirm={async () => {
          await client.integrations.disconnect(workspace.id, id);
          toast(`Disconnected ${name}.`);
          route(workspace.href('integrations'));
        }}
      >
        <p>This also removes, at once:</p>
        <ul>
          <li>its stored credentials,</li>
          <li>its ingest URL: further calls from {name} are refused,</li>
          <li>webhooks that are filtered to this integration alone.</li>
        </ul>
        <p>Its events are kept. You can connect it again, with a new ingest URL.</p>
      </ConfirmDialog>
    </>
  );
}
