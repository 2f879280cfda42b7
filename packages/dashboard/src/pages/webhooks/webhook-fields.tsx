import type { Webhook } from '@hubline/sdk';
import { CheckboxGroup } from '../../components/fields/checkbox-group.tsx';
import { useIssues } from '../../components/fields/field.tsx';
import { MoreFields } from '../../components/fields/more-fields.tsx';
import { TextAreaField } from '../../components/fields/text-area-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { CodeSnippet } from '../../components/code/code-snippet.tsx';
import { localSamples } from '../../components/code/command-samples.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { namedTriggers, triggers } from './webhook-triggers.ts';

/** The fields of a webhook, new or existing; `webhookBody` reads them. */
export function WebhookFields({ webhook }: { webhook?: Webhook }) {
  const events = webhook?.events ?? ['event.created'];
  const { event_types, sources, resource_ids } = webhook?.filters ?? {};
  // A trigger that only a newer server knows must survive an edit here.
  const unknown = events.filter((name) => !triggers.some(({ value }) => value === name));
  return (
    <>
      <TextField
        name="url"
        label="URL"
        type="url"
        mono
        placeholder="https://app.example.com/hooks/hubline"
        value={webhook?.url ?? ''}
        hint={
          <>
            An <code>https://</code> address that is reachable from the internet.{' '}
            <code>http://localhost</code> works where the server was started with{' '}
            <code class="nowrap">--allow-http-localhost</code>.
          </>
        }
      />
      <LocalReceiver />
      <CheckboxGroup
        name="events"
        label="Triggers"
        all="*"
        except={namedTriggers}
        value={events}
        options={[...triggers, ...unknown.map((value) => ({ value, label: value }))]}
      />
      <TextField
        name="name"
        label="Name"
        value={webhook?.name ?? ''}
        placeholder="Billing service"
        hint="Shown in lists instead of the URL."
      />
      <MoreFields
        label="Filters and rate limit"
        open={webhook?.filters != null || webhook?.rate_limit != null}
      >
        <p class="faint">
          One name per line. An event must match every filter that is not empty. Triggers other than{' '}
          <code>event.created</code> have neither type nor source, and match neither.
        </p>
        <TextAreaField
          name="event_types"
          label="Event types"
          mono
          rows={2}
          placeholder="pull_request"
          value={lines(event_types)}
        />
        <TextAreaField
          name="sources"
          label="Sources"
          mono
          rows={2}
          placeholder="github"
          value={lines(sources)}
        />
        <TextAreaField
          name="resource_ids"
          label="Resource IDs"
          mono
          rows={2}
          value={lines(resource_ids)}
          hint="IDs of integrations, or of resources such as a repository or an issue."
        />
        <TextField
          name="per_second"
          label="Rate limit"
          value={String(webhook?.rate_limit?.per_second ?? '')}
          placeholder="No limit"
          hint="Maximum calls per second. Further calls wait; waiting is not an attempt."
        />
      </MoreFields>
    </>
  );
}

/** Says how to reach a receiver on this machine, after the server refused an `http://` URL. */
function LocalReceiver() {
  const { slug } = useWorkspace();
  if (!useIssues('url').includes('must begin with https://')) return null;
  return (
    <div class="stack" data-gap="xs">
      <p class="faint">For a receiver on this machine:</p>
      <CodeSnippet samples={localSamples(slug)} />
    </div>
  );
}

const lines = (items: readonly string[] | undefined): string => items?.join('\n') ?? '';
