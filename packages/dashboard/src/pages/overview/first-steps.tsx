import { useSignal } from '@preact/signals';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { CodeSnippet } from '../../components/code/code-snippet.tsx';
import { listenSample } from '../../components/code/command-samples.ts';
import { publishSamples } from '../../components/code/publish-samples.ts';
import { Mark } from '../../components/icons/mark.tsx';
import { Section } from '../../components/page/section.tsx';
import { useRefreshed } from '../../data/queries/use-refreshed.ts';
import { recall, remember } from '../../session/browser-memory.ts';
import { useWorkspace } from '../../session/workspace.ts';
import type { ComponentChildren } from 'preact';

/** Short, because somebody may have just run the command, and watches. */
const REFRESH_MS = 3_000;

/** The steps in a new workspace, checked as they are done. Hidden when all are done, or when a person hides them. */
export function FirstSteps({ hasWebhook }: { hasWebhook: boolean }) {
  const workspace = useWorkspace();
  const memory = `hubline.first-steps.${workspace.id}`;
  const hidden = useSignal(recall(memory) === 'hidden');
  const done = useRefreshed(
    async (signal) => {
      const [events, deliveries, members] = await Promise.all([
        client.events.list(workspace.id, { limit: 1, omit: 'payload' }, { signal }),
        client.deliveries.list(workspace.id, { limit: 1 }, { signal }),
        client.members.list(workspace.id, { limit: 2 }, { signal }),
      ]);
      return {
        event: events.data.length > 0,
        // Also by a webhook that was deleted since: a step that is done stays done.
        delivery: deliveries.data.length > 0,
        people: members.data.length > 1,
      };
    },
    ['events', workspace.id, 'first-steps'],
    { everyMs: REFRESH_MS, isDone: ({ event, delivery, people }) => event && delivery && people },
  );
  if (hidden.value || done.data === undefined) return null;
  const { event, delivery, people } = done.data;
  const receives = hasWebhook || delivery;
  if (event && people && receives) return null;
  return (
    <Section
      title="First steps"
      actions={
        <Button
          kind="quiet"
          size="small"
          onClick={() => {
            remember(memory, 'hidden');
            hidden.value = true;
          }}
        >
          Hide
        </Button>
      }
    >
      <ol class="card first-steps">
        <Step title="Bring in events" done={event}>
          <p>
            <a href={workspace.href('integrations')}>Connect a tool</a>, or publish your own event, with a{' '}
            <a href={workspace.href('settings/api-keys')}>key</a> in <code>HUBLINE_API_KEY</code>:
          </p>
          <CodeSnippet samples={publishSamples(workspace.id)} />
        </Step>
        <Step title="Create a webhook" done={receives}>
          <p>
            <a href={workspace.href('webhooks?new=1')}>Register a URL</a>. Hubline calls it for each event,
            signs the call and retries when it fails. While you write the receiver, this sends the events to
            your machine.
          </p>
          <CodeSnippet samples={listenSample(workspace.slug)} />
        </Step>
        <Step title="Invite people" done={people}>
          <p>
            <a href={workspace.href('members')}>Invite</a> the people who work with these events.
          </p>
        </Step>
      </ol>
    </Section>
  );
}

function Step({ title, done, children }: { title: string; done: boolean; children: ComponentChildren }) {
  return (
    <li data-done={done ? '' : undefined}>
      <span class="step-n">{done ? <Mark name="ok" /> : null}</span>
      <div class="stack">
        <h3>
          {title}
          {done && <span class="sr"> (done)</span>}
        </h3>
        {!done && children}
      </div>
    </li>
  );
}
