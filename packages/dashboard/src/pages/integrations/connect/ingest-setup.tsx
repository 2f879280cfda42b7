import type { Integration } from '@hubline/sdk';
import { CodeSnippet } from '../../../components/code/code-snippet.tsx';
import { CopyButton } from '../../../components/text/copy-button.tsx';
import { hasToken, ingestSamples, slackUrl } from './ingest-samples.ts';
import { Notice } from '../../../components/page/notice.tsx';

interface IngestSetupProps {
  readonly provider: string;
  /** The display name of the provider. */
  readonly name: string;
  /** The steps that are left at the provider. */
  readonly ingest: Pick<Integration['ingest'], 'url' | 'steps' | 'manifest' | 'verification_token'>;
  /** The credentials of a custom integration that was just connected. */
  readonly credentials?: Readonly<Record<string, string>> | undefined;
  /** The ingest secret, while it is shown. */
  readonly secret?: string | undefined;
}

/** Steps at the provider that bring events in, in the provider's own words. */
export function IngestSetup(props: IngestSetupProps) {
  const { url, steps, manifest, verification_token: token } = props.ingest;
  if (props.provider === 'custom') return <CustomSetup {...props} />;
  return (
    <>
      <ol class="setup-steps">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Address label="ingest URL" value={url} />
      {token !== null && (
        <>
          <p>Paste this verification token at {props.name}:</p>
          <Address label="verification token" value={token} />
        </>
      )}
      {manifest !== null && <CodeSnippet samples={{ 'App manifest': manifest }} />}
    </>
  );
}

/** The reason why a provider cannot call, and the cure. */
export const Warning = ({ text }: { text: string }) => (
  <Notice tone="warn">
    <p>{text}</p>
  </Notice>
);

function CustomSetup({ ingest: { url }, credentials, secret }: IngestSetupProps) {
  const open = hasToken(url);
  const slack = slackUrl(url);
  return (
    <>
      <p>Configure the tool to POST its calls to this URL.</p>
      <Address label="ingest URL" value={url} />
      <p>
        For a tool that can only “send to Slack”, use this URL instead of Slack’s
        {secret === undefined && !open && ', with the ingest secret at its end'}.
        {credentials === undefined && !open && ' Without authentication of calls, leave out ?token=.'}
      </p>
      <Address
        label="Slack-compatible URL"
        value={open ? slack : `${slack}?token=${encodeURIComponent(secret ?? '')}`}
      />
      <p>To try it, send a test event from a shell:</p>
      <CodeSnippet samples={ingestSamples(url, credentials, secret)} />
    </>
  );
}

/** A URL to copy. */
function Address({ label, value }: { label: string; value: string }) {
  return (
    <div class="secret">
      <code>{value}</code>
      <CopyButton text={value} label={`Copy the ${label}`} />
    </div>
  );
}
