import { LIMITS } from '@hubline/contract/constants';
import type { Webhook } from '@hubline/sdk';
import { CodeSnippet } from '../../components/code/code-snippet.tsx';
import { listenSample } from '../../components/code/command-samples.ts';
import { Section } from '../../components/page/section.tsx';
import { formatList, formatDelay } from '../../data/formats/format-number.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { webhookSamples } from './webhook-samples.ts';

// Leaves out the first attempt, which is made at once.
const DELAYS = formatList(LIMITS.retryDelaysMs.filter(Boolean).map(formatDelay));

/** Shows how a receiver checks the signature, and how to get calls while writing the receiver. */
export function WebhookSignature({ webhook }: { webhook: Webhook }) {
  const { slug } = useWorkspace();
  return (
    <>
      <Section
        title="Check the signature"
        description={
          <>
            Every call is signed with the webhook’s secret, over the raw body. Check it before you parse the
            body. Respond with 2xx within {LIMITS.attemptTimeoutMs / 1_000} seconds; after any other response,
            Hubline retries after {DELAYS}. A delivery can arrive twice, with the same <code>id</code>.
          </>
        }
      >
        <CodeSnippet samples={webhookSamples(webhook.url)} />
      </Section>
      <Section
        title="Try it on your machine"
        description={
          <>
            Sends the events of this workspace to a local port, signed, without a public address. Check these
            signatures with the secret that <code>listen --print-secret</code> prints.
          </>
        }
      >
        <CodeSnippet samples={listenSample(slug)} />
      </Section>
    </>
  );
}
