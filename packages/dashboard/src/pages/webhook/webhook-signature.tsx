import type { Webhook } from '@hubline/sdk';
import { CodeSnippet } from '../../components/text/code-snippet.tsx';
import { Section } from '../../components/page/section.tsx';
import { webhookSamples } from './webhook-samples.ts';

/** Shows how a receiver checks the signature. */
export function WebhookSignature({ webhook }: { webhook: Webhook }) {
  return (
    <Section
      title="Check the signature"
      description={
        <>
          Every call is signed with the webhook’s secret, over the bytes of the body: check it before anything
          parses them. Answer 2xx within 30 seconds; anything else is tried again after 5 s, 25 s, 2 min and
          10 min. The same delivery can come twice: its <code>id</code> is the same then.
        </>
      }
    >
      <CodeSnippet samples={webhookSamples(webhook.url)} />
    </Section>
  );
}
