import type { ProviderDefinition, ProviderDefinitionCreate, ProviderPreviewRequest } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { client } from '../../../api/client.ts';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { Form } from '../../../components/fields/form.tsx';
import { TextAreaField } from '../../../components/fields/text-area-field.tsx';
import { TextField } from '../../../components/fields/text-field.tsx';
import { refuseOvertaken } from '../../../components/schema/spec.ts';
import { useWorkspace } from '../../../session/workspace.ts';
import { DefinitionPreview } from './definition-preview.tsx';
import {
  changesTo,
  parseDefinition,
  parseHeaders,
  printDefinition,
  printHeaders,
} from './definition-text.ts';

/** A definition to edit, and a call to try it with. */
export interface DefinitionDraft {
  readonly definition: ProviderDefinitionCreate;
  /** The stored definition that it changes. Absent: a new one. */
  readonly stored?: ProviderDefinition;
  readonly sample?: { readonly headers: Readonly<Record<string, string>>; readonly body: string } | undefined;
}

interface DefinitionDialogProps {
  /** `undefined` closes it. */
  readonly draft: DefinitionDraft | undefined;
  readonly onClose: () => void;
}

/** Edits a definition beside a preview of the event that a pasted call makes. */
export function DefinitionDialog({ draft, onClose }: DefinitionDialogProps) {
  const title = draft?.stored ? `Change ${draft.stored.name}` : 'Define a tool';
  return (
    <Dialog open={draft !== undefined} title={title} size="extra-wide" onClose={onClose}>
      {draft && <Editor draft={draft} onClose={onClose} />}
    </Dialog>
  );
}

function Editor({
  draft: { definition, stored, sample },
  onClose,
}: DefinitionDialogProps & { draft: DefinitionDraft }) {
  const workspace = useWorkspace();
  const text = useSignal(printDefinition(definition));
  const body = useSignal(sample?.body ?? '{}');
  const headers = useSignal(printHeaders(sample?.headers ?? {}));
  const secret = useSignal('');
  const parsed = parseDefinition(text.value);
  const request: ProviderPreviewRequest | undefined = parsed && {
    definition: parsed,
    body: body.value,
    headers: { 'content-type': 'application/json', ...lowered(parseHeaders(headers.value)) },
    ...(secret.value !== '' && { secret: secret.value }),
  };
  return (
    <Form
      submit={stored ? 'Save' : 'Define'}
      blocked={parsed ? undefined : 'The definition is not JSON yet.'}
      onCancel={onClose}
      action={async () => {
        if (!parsed) return;
        if (stored) {
          const { provider_id: id } = stored;
          const changes = changesTo(stored, parsed);
          refuseOvertaken(changes, stored, await client.providers.get(workspace.id, id));
          await client.providers.update(workspace.id, id, changes);
        } else await client.providers.create(workspace.id, parsed);
        onClose();
      }}
    >
      <div class="definition-editor">
        <TextAreaField
          name="definition"
          label="Definition"
          hint="How calls are verified and read, as JSON. A place is a JSON pointer such as /build/status, or header:X-Event."
          value={text.value}
          rows={26}
          mono
          onInput={(next) => (text.value = next)}
        />
        <div class="stack" data-gap="s">
          <TextAreaField
            name="body"
            label="Body of a call"
            hint="Paste one, exactly as the tool sends it."
            value={body.value}
            rows={5}
            mono
            onInput={(next) => (body.value = next)}
          />
          <DefinitionPreview request={request} />
          <TextAreaField
            name="headers"
            label="Its headers"
            hint="One per line, such as X-Event: build."
            value={headers.value}
            rows={2}
            mono
            onInput={(next) => (headers.value = next)}
          />
          <TextField
            name="secret"
            label="Secret"
            type="password"
            autoComplete="new-password"
            hint="Optional. Used to verify the call. It is not stored."
            onInput={(next) => (secret.value = next)}
          />
        </div>
      </div>
    </Form>
  );
}

const lowered = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
