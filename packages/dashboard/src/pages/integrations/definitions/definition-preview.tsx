import type { ProviderPreview, ProviderPreviewRequest } from '@hubline/sdk';
import { ErrorPanel } from '../../../components/page/error-panel.tsx';
import { KeyValue } from '../../../components/page/key-value.tsx';
import { usePreview } from './use-preview.ts';

interface DefinitionPreviewProps {
  /** `undefined` while the definition is not JSON. */
  readonly request: ProviderPreviewRequest | undefined;
}

/** The event that a pasted call makes, updated while a person types. */
export function DefinitionPreview({ request }: DefinitionPreviewProps) {
  const preview = usePreview(request);
  const { data } = preview;
  return (
    <section aria-label="Preview" aria-live="polite">
      <h3>Preview</h3>
      {!request && <p class="faint">The definition is not JSON yet.</p>}
      {request && <ErrorPanel of={preview} />}
      {request && data && <KeyValue rows={rowsOf(data)} />}
    </section>
  );
}

const PROOFS: Readonly<Record<string, string>> = {
  verified: 'The call is genuine',
  refused: 'The call would be refused',
  unchecked: 'Not checked',
};

function rowsOf({ verification, outcome, reason, event, answer }: ProviderPreview) {
  const proof = PROOFS[verification.result] ?? verification.result;
  const rows: [label: string, value: string][] = [
    ['Verification', verification.reason === null ? proof : `${proof}: ${verification.reason}`],
  ];
  if (!event)
    return [
      ...rows,
      ['Outcome', reason ?? outcome] as const,
      ...(answer ? [['Response', answer] as const] : []),
    ];
  const { summary } = event;
  return [
    ...rows,
    ['Event type', event.type] as const,
    ['Text', summary.text ?? '–'] as const,
    ['Action', summary.action ?? '–'] as const,
    ['Actor', summary.actor?.name ?? summary.actor?.id ?? '–'] as const,
    ['Subject', summary.subject?.name ?? summary.subject?.id ?? '–'] as const,
    ['Severity', summary.severity] as const,
    ['Occurred', summary.occurred_at ?? '–'] as const,
    ['Deduplication key', event.dedupe_key] as const,
  ];
}
