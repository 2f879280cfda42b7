import type { ConnectedIntegration, Provider } from '@hubline/sdk';
import { Button } from '../../../components/controls/button.tsx';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { SecretOnce } from '../../../components/dialogs/secret-once.tsx';
import { IngestSetup, Warning } from './ingest-setup.tsx';

/** A new integration, and the credentials it was connected with. */
export interface Connected {
  readonly provider: Provider;
  readonly integration: ConnectedIntegration;
  readonly credentials: Readonly<Record<string, string>>;
}

interface ConnectedDialogProps {
  /** `undefined` closes it. */
  readonly connected: Connected | undefined;
  readonly onClose: () => void;
}

/** Shows a new connection: the ingest secret, once, and what is left to do at the provider. */
export function ConnectedDialog({ connected, onClose }: ConnectedDialogProps) {
  if (!connected) return null;
  const { provider, integration, credentials } = connected;
  const { status_detail: detail, ingest } = integration;
  const { secret, registered, warning } = ingest;
  const title = detail ? titleOf(provider.name, registered) : `${provider.name} is connected`;
  const said = (
    <>
      {detail && <p>{detail.message}</p>}
      {warning !== null && <Warning text={warning} />}
    </>
  );
  const setup = registered ? null : (
    <>
      <h3>Next steps</h3>
      <IngestSetup
        provider={provider.provider}
        name={provider.name}
        ingest={ingest}
        credentials={credentials}
        secret={secret}
      />
    </>
  );
  if (secret === undefined) {
    return (
      <Dialog open title={title} size="wide" onClose={onClose}>
        {said}
        {setup}
        <div class="form-actions">
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <SecretOnce title={title} secret={secret} noun="secret" size="wide" after={setup} onClose={onClose}>
      {said}
      <p>
        {registered
          ? `${provider.name} has the ingest secret already. You need it only to set up the webhook by hand.`
          : 'The ingest secret proves to Hubline that a call is genuine:'}
      </p>
    </SecretOnce>
  );
}

/** The title until a call has proved that the integration is connected. */
const titleOf = (name: string, registered: boolean): string =>
  registered ? `Waiting for the first call from ${name}` : `Finish setting up ${name}`;
