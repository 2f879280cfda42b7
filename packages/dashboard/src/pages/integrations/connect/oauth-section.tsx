import { LIMITS } from '@hubline/contract/constants';
import type { OAuthApp, OAuthAppConfigure, Provider } from '@hubline/sdk';
import type { ComponentChildren } from 'preact';
import { client } from '../../../api/client.ts';
import { Form, type FormFields } from '../../../components/fields/form.tsx';
import { ErrorPanel } from '../../../components/page/error-panel.tsx';
import { CopyButton } from '../../../components/text/copy-button.tsx';
import { ExternalLink } from '../../../components/text/external-link.tsx';
import { leaveFor } from '../../../data/address/leaving.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import { useWorkspace } from '../../../session/workspace.ts';
import { CredentialField } from './credential-field.tsx';

interface OAuthSectionProps {
  readonly provider: Provider;
  /** The integration to connect again. Absent: a new one. */
  readonly integrationId?: string;
}

/** The fields for the source of the events. The webhook is registered there with the granted token, so nobody sees its secret. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  github: ['repository', 'organization'],
  gitlab: ['project'],
};

/** Connects a tool with OAuth: at once if the workspace has an app for it, otherwise after one is entered. */
export function OAuthSection({ provider, integrationId }: OAuthSectionProps) {
  const workspace = useWorkspace();
  const apps = useQuery(
    (signal) => client.oauth.listApps(workspace.id, { limit: LIMITS.pageMax }, { signal }).toArray(),
    ['oauth-apps', workspace.id],
  );
  const settings = SETTINGS[provider.provider] ?? [];
  async function start(fields: FormFields): Promise<void> {
    const { url } = await client.oauth.start(provider.provider, {
      workspace_id: workspace.id,
      settings: filled(settings, fields),
      ...(integrationId !== undefined && { integration_id: integrationId }),
    });
    // The URL leads to the provider, and from there back to the integration.
    leaveFor(url);
  }
  const fields = settings.map((field) => (
    <CredentialField key={field} provider={provider.provider} name={field} />
  ));
  const app = apps.data?.find((each) => each.provider === provider.provider);
  if (!app) return apps.error === undefined ? null : <ErrorPanel of={apps} />;
  if (app.configured) {
    return (
      <section class="oauth">
        <Form submit="Connect in the browser" action={start}>
          {fields}
        </Form>
        <p class="faint">Or with your own credentials:</p>
      </section>
    );
  }
  return (
    <details class="more-fields">
      <summary>Connect with OAuth</summary>
      <AppForm app={app} name={provider.name} onSaved={start}>
        {fields}
      </AppForm>
    </details>
  );
}

/** The texts of filled fields, by their names. */
const filled = (names: readonly string[], fields: FormFields): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, fields.text(name)]).filter(([, text]) => text !== ''));

interface AppFormProps {
  readonly app: OAuthApp;
  readonly name: string;
  readonly onSaved: (fields: FormFields) => Promise<void>;
  /** The fields of the connection itself. */
  readonly children: ComponentChildren;
}

function AppForm({ app, name, onSaved, children }: AppFormProps) {
  const workspace = useWorkspace();
  return (
    <>
      <p>
        Create an app at{' '}
        <ExternalLink href={app.apps_url}>{app.apps_url.replace('https://', '')}</ExternalLink>, with this
        redirect URL, and enter here what {name} shows.
      </p>
      <div class="secret">
        <code>{app.redirect_uri}</code>
        <CopyButton text={app.redirect_uri} label="Copy the redirect URL" />
      </div>
      <Form
        submit="Save and connect"
        action={async (fields) => {
          const body = { provider: app.provider, ...filled(app.fields, fields) } as OAuthAppConfigure;
          await client.oauth.configureApp(workspace.id, body);
          await onSaved(fields);
        }}
      >
        {app.fields.map((field) => (
          <CredentialField key={field} provider="oauth" name={field} />
        ))}
        {children}
      </Form>
    </>
  );
}
