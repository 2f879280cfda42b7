import type { DeliveryDetail } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { CodeBlock } from '../../components/text/code-block.tsx';
import { Section } from '../../components/page/section.tsx';
import { Tabs } from '../../components/page/tabs.tsx';

const VIEWS = { readable: 'Readable', exact: 'As sent' } as const;

/** The body that every attempt sends. */
export function DeliveryRequest({ delivery: { request_body: body } }: { delivery: DeliveryDetail }) {
  const view = useSignal<string>('readable');
  const exact = view.value === 'exact';
  if (body === null) {
    return (
      <Section title="Request body">
        <p class="faint">More than 8 MiB: too large to show here. Its event has the payload.</p>
      </Section>
    );
  }
  return (
    <Section
      title="Request body"
      description="The same bytes on every attempt: they are what is signed. Check a signature against the body as sent."
    >
      <Tabs label="View" tabs={VIEWS} value={view.value} onChange={(next) => (view.value = next)} />
      <CodeBlock
        key={view.value}
        text={exact ? body : pretty(body)}
        label={exact ? 'Body as sent' : 'Body in lines'}
      />
    </Section>
  );
}

/** JSON in lines; what is no JSON as it is. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
