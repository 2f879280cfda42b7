import type { Webhook } from '@hubline/sdk';
import { CodeSnippet } from '../../components/code/code-snippet.tsx';
import { listenSample } from '../../components/code/command-samples.ts';
import { Section } from '../../components/page/section.tsx';
import { useWorkspace } from '../../session/workspace.ts';
import { webhookSamples } from './webhook-samples.ts';

/** Shows how a receiver checks the signature, and how one gets calls while it is written. */
export function WebhookSignature({ webhook }: { webhook: Webhook }) {
  const { slug } = useWorkspace();
  return (
    <>
      <Section
        title="Check the signature"
        description={
          <>
            Every call is signed with the webhook’s secret, over the raw body. Check the signature before you
            parse the body. Answer 2xx within 30 seconds; any other answer is retried after 5 s, 25 s, 2 min
            and 10 min. A delivery can arrive twice, with the same <code>id</code>.
          </>
        }
      >
        <CodeSnippet samples={webhookSamples(webhook.url)} />
      </Section>
      <Section
        title="Try it on your machine"
        description={
          <>
            Sends the events of this workspace to a port of yours, signed, without a public address. Check
            these signatures with the secret that <code>listen --print-secret</code> prints.
          </>
        }
      >
        <CodeSnippet samples={listenSample(slug)} />
      </Section>
    </>
  );
}
