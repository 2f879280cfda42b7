import type { Provider } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { client } from '../../../api/client.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { Form } from '../../../components/fields/form.tsx';
import { ErrorPanel } from '../../../components/page/error-panel.tsx';
import { useWorkspace } from '../../../session/workspace.ts';
import { OAuthSection } from './oauth-section.tsx';
import { type Connected, ConnectedDialog } from './connected-dialog.tsx';
import { CredentialFields, credentialsOf } from './credential-fields.tsx';
import { useUrlFirst } from './use-url-first.ts';

interface ConnectDialogProps {
  /** The provider to connect; `undefined` closes the dialog. */
  readonly provider: Provider | undefined;
  readonly onClose: () => void;
}

/** The tools whose credentials exist only after they know the URL. */
const URL_FIRST = new Set(['slack', 'teams']);

/** Asks for the credentials of a tool, and then says what is left to do. */
export function ConnectDialog({ provider, onClose }: ConnectDialogProps) {
  const workspace = useWorkspace();
  const { route } = useLocation();
  const connected = useSignal<Connected>();
  const first = useUrlFirst();
  return (
    <>
      <Dialog open={provider !== undefined} title={`Connect ${provider?.name}`} size="wide" onClose={onClose}>
        {provider && (
          <>
            <p class="faint">
              {provider.description} Credentials are stored encrypted, and are not shown again.
            </p>
            {URL_FIRST.has(provider.provider) && (
              <div class="note">
                <span class="grow">
                  <b>No app at {provider.name} yet?</b> Get its URL and the steps first, then enter the
                  credentials.
                </span>
                <Button
                  size="small"
                  pending={first.pending}
                  onClick={() => void first.run(provider.provider)}
                >
                  Get the URL
                </Button>
              </div>
            )}
            <ErrorPanel of={first} />
            {provider.oauth && <OAuthSection provider={provider} />}
            <Form
              submit="Connect"
              onCancel={onClose}
              action={async (fields) => {
                const credentials = credentialsOf(provider, fields);
                const body = { provider: provider.provider, workspace_id: workspace.id, credentials };
                const integration = await client.integrations.connect(body);
                onClose();
                connected.value = { provider, integration, credentials };
              }}
            >
              <CredentialFields provider={provider} />
            </Form>
          </>
        )}
      </Dialog>
      <ConnectedDialog
        connected={connected.value}
        onClose={() => {
          const id = connected.value?.integration.integration_id;
          connected.value = undefined;
          if (id !== undefined) route(workspace.href(`integrations/${id}`));
        }}
      />
    </>
  );
}
