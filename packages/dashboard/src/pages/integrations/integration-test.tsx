import type { Integration, IntegrationTestResult } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { client } from '../../api/client.ts';
import { Form } from '../../components/fields/form.tsx';
import { SelectField } from '../../components/fields/select-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { TimeAgo } from '../../components/text/time-ago.tsx';
import { Notice } from '../../components/page/notice.tsx';

const TYPES = ['event.created', 'integration.connected', 'user.invited'];

interface IntegrationTestProps {
  readonly integration: Integration;
  readonly name: string;
  /** Called after a test, which may have changed the status of the integration. */
  readonly onTested: () => void;
}

/** Sends a notification to the destination, and shows the result. */
export function IntegrationTest({ integration, name, onTested }: IntegrationTestProps) {
  const result = useSignal<IntegrationTestResult>();
  return (
    <section class="card pad">
      <h2>Test notification</h2>
      <p class="faint">Sends a message through {name}, so that you can see it arrive.</p>
      <Form
        submit="Send"
        disposable
        width="narrow"
        action={async (fields) => {
          result.value = undefined;
          result.value = await client.integrations.test(integration.integration_id, {
            event_type: fields.text('event_type'),
            payload: { message: fields.text('message') },
          });
          onTested();
        }}
      >
        <SelectField
          name="event_type"
          label="Trigger to simulate"
          value="event.created"
          options={Object.fromEntries(TYPES.map((type) => [type, type]))}
        />
        <TextField name="message" label="Message" value="A test from Hubline" />
      </Form>
      <div role="status">{result.value && <Result {...result.value} />}</div>
    </section>
  );
}

function Result({ success, destination, delivered_at, error }: IntegrationTestResult) {
  return (
    <Notice tone={success ? 'ok' : 'bad'}>
      {success ? (
        <p>
          <strong>{destination}</strong> accepted it, <TimeAgo value={delivered_at} />.
        </p>
      ) : (
        <p>
          <strong>{destination}</strong> rejected it{error === null ? ' without a reason' : `: ${error}`}.
        </p>
      )}
    </Notice>
  );
}
