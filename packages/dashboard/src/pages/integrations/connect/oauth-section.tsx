import { LIMITS } from '@hubline/contract/constants';
import type { OAuthApp, OAuthAppConfigure, Provider } from '@hubline/sdk';
import { client } from '../../../api/client.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Form } from '../../../components/fields/form.tsx';
import { ErrorPanel } from '../../../components/page/error-panel.tsx';
import { CopyButton } from '../../../components/text/copy-button.tsx';
import { ExternalLink } from '../../../components/text/external-link.tsx';
import { useAction } from '../../../data/use-action.ts';
import { useQuery } from '../../../data/use-query.ts';
import { useWorkspace } from '../../../session/workspace.ts';
import { CredentialField } from './credential-field.tsx';

interface OAuthSectionProps {
  readonly provider: Provider;
  /** The integration to connect again. Absent: a new one. */
  readonly integrationId?: string;
}

/** Connects a tool in the browser: at once where the workspace has an app there, otherwise after one is entered. */
export function OAuthSection({ provider, integrationId }: OAuthSectionProps) {
  const workspace = useWorkspace();
  const apps = useQuery(
    (signal) => client.oauth.listApps(workspace.id, { limit: LIMITS.pageMax }, { signal }).toArray(),
    ['oauth-apps', workspace.id],
  );
  const start = useAction(async () => {
    const { url } = await client.oauth.start(provider.provider, {
      workspace_id: workspace.id,
      ...(integrationId !== undefined && { integration_id: integrationId }),
    });
    // It leads to the provider, and back to the integration.
    window.location.assign(url);
  });
  const app = apps.data?.find((each) => each.provider === provider.provider);
  if (!app) return apps.error === undefined ? null : <ErrorPanel error={apps.error} retry={apps.reload} />;
  if (app.configured) {
    return (
      <section class="oauth">
        <Button kind="primary" pending={start.pending} onClick={() => void start.run()}>
          Connect in the browser
        </Button>
        {start.error !== undefined && <ErrorPanel error={start.error} />}
        <p class="faint">Or with credentials of your own:</p>
      </section>
    );
  }
  return (
    <details class="more-fields">
      <summary>Connect by OAuth</summary>
      <AppForm app={app} name={provider.name} onSaved={() => start.run()} />
    </details>
  );
}

function AppForm({ app, name, onSaved }: { app: OAuthApp; name: string; onSaved: () => Promise<unknown> }) {
  const workspace = useWorkspace();
  return (
    <>
      <p>
        Make an app at <ExternalLink href={app.apps_url}>{app.apps_url.replace('https://', '')}</ExternalLink>
        , with this redirect URL, and enter here what {name} shows.
      </p>
      <div class="secret">
        <code>{app.redirect_uri}</code>
        <CopyButton text={app.redirect_uri} label="Copy the redirect URL" />
      </div>
      <Form
        submit="Save and connect"
        action={async (fields) => {
          const given = app.fields
            .map((field) => [field, fields.text(field)])
            .filter(([, text]) => text !== '');
          const body = { provider: app.provider, ...Object.fromEntries(given) } as OAuthAppConfigure;
          await client.oauth.configureApp(workspace.id, body);
          await onSaved();
        }}
      >
        {app.fields.map((field) => (
          <CredentialField key={field} provider="oauth" name={field} />
        ))}
      </Form>
    </>
  );
}
